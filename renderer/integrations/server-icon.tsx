import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { IntegrationStatus, IntegrationView } from '../../shared/integration-view.ts';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { postern } from '../postern.ts';
import { formatMoment, words } from '../words.ts';
import './status-mark.css';

interface ServerIconProps {
  readonly integration: Pick<IntegrationView, 'id' | 'name' | 'icons'>;
  readonly size: 'small' | 'large';
}

const inDark = matchMedia('(prefers-color-scheme: dark)');

/** The server's own picture, for light or dark; a drawn letter where it has none that can be shown, and until then. */
export function ServerIcon({ integration, size }: ServerIconProps) {
  const isDark = useSyncExternalStore(followTheme, () => inDark.matches);
  const mark = isDark ? integration.icons?.dark : integration.icons?.light;
  const picture = usePicture(integration.id, mark);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pen = canvas.current?.getContext('2d');
    if (!pen || !picture) return;
    const scale = iconPixels / Math.max(picture.width, picture.height);
    const [wide, high] = [picture.width * scale, picture.height * scale];
    pen.clearRect(0, 0, iconPixels, iconPixels);
    pen.drawImage(picture, (iconPixels - wide) / 2, (iconPixels - high) / 2, wide, high);
  }, [picture]);
  if (!picture) return <ServiceIcon name={integration.name} size={size} />;
  return (
    <span className={`service-icon picture-of-server ${size}`} aria-hidden="true">
      <canvas ref={canvas} width={iconPixels} height={iconPixels} />
    </span>
  );
}

function usePicture(id: string, mark: string | undefined): ImageBitmap | undefined {
  const [decoded, setDecoded] = useState<{ readonly mark: string; readonly picture: ImageBitmap }>();
  const atHand = mark === undefined ? undefined : iconAtHand(mark);
  useEffect(() => {
    if (mark === undefined || atHand) return;
    let isGone = false;
    void decodeIcon(id, mark).then((picture) => {
      if (picture && !isGone) setDecoded({ mark, picture });
    });
    return () => {
      isGone = true;
    };
  }, [id, mark, atHand]);
  return atHand ?? (decoded?.mark === mark ? decoded?.picture : undefined);
}

function followTheme(onChange: () => void): () => void {
  inDark.addEventListener('change', onChange);
  return () => inDark.removeEventListener('change', onChange);
}

/** Pixels a side of what is drawn: twice the largest tile, for fine screens. */
const iconPixels = 80;
/** Pictures that are kept decoded, 25 kB each. */
const most = 300;

const pictures = new Map<string, ImageBitmap>();
const underWay = new Map<string, Promise<ImageBitmap | undefined>>();

/** The picture of that mark, where it has been decoded already: a row that scrolls into sight shows it at once. */
function iconAtHand(mark: string): ImageBitmap | undefined {
  return pictures.get(mark);
}

/**
 * Asks main for a server's picture and decodes it here, in the sandbox, to pixels that can be drawn; `undefined` where
 * it cannot be. Each is asked for once. Never rejects.
 */
function decodeIcon(id: string, mark: string): Promise<ImageBitmap | undefined> {
  const running = underWay.get(mark) ?? decode(id, mark);
  underWay.set(mark, running);
  return running;
}

async function decode(id: string, mark: string): Promise<ImageBitmap | undefined> {
  try {
    const answer = await postern.integration.icon({ id, mark });
    if (!answer.ok || answer.value.data === null) {
      underWay.delete(mark);
      return undefined;
    }
    const whole = await createImageBitmap(new Blob([bytesOf(answer.value.data)]));
    const scale = Math.min(1, iconPixels / Math.max(whole.width, whole.height));
    const size = {
      resizeWidth: Math.max(1, Math.round(whole.width * scale)),
      resizeHeight: Math.max(1, Math.round(whole.height * scale)),
      resizeQuality: 'high' as const,
    };
    const picture = await createImageBitmap(whole, size);
    whole.close();
    keep(mark, picture);
    return picture;
  } catch {
    // No picture after all. It is not asked for again.
    return undefined;
  }
}

function keep(mark: string, picture: ImageBitmap): void {
  pictures.set(mark, picture);
  const [oldest] = pictures.keys();
  if (pictures.size <= most || oldest === undefined) return;
  // Not closed: it may be drawn at this moment.
  pictures.delete(oldest);
  underWay.delete(oldest);
}

/** What base64 stands for. Throws what `atob` throws. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** A state by shape first and colour second. The word for it stands beside it or is read out instead. */
export function StatusMark({ status }: { readonly status: IntegrationStatus['name'] | 'busy' }) {
  return (
    <svg className={`mark ${status}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
      {shapes[status]}
    </svg>
  );
}

const waiting = (
  <>
    <circle className="line" cx="6" cy="6" r="4.25" />
    <path className="fill" d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" />
  </>
);

const shapes = {
  ready: <circle className="fill" cx="6" cy="6" r="3" />,
  signIn: waiting,
  notAllowed: waiting,
  stopped: <rect className="line" x="2.5" y="2.5" width="7" height="7" />,
  signInAgain: <path className="fill" d="M6 .9 11.3 10.6H.7z" />,
  offline: <circle className="line" cx="6" cy="6" r="3.5" />,
  failing: (
    <>
      <circle className="line" cx="6" cy="6" r="4.75" />
      <path className="line" d="m4.3 4.3 3.4 3.4m0-3.4L4.3 7.7" />
    </>
  ),
  needsAccess: (
    <>
      <circle className="line" cx="6" cy="6" r="4.75" />
      <path className="line" d="M6 3.6v4.8M3.6 6h4.8" />
    </>
  ),
  storageProblem: <rect className="fill" x="1.5" y="1.5" width="9" height="9" rx="1" />,
  busy: <path className="line turning" d="M6 1.5a4.5 4.5 0 1 1-4.5 4.5" />,
};

/** The state in a word, with the time of the next try where there is one. */
export function describeStatus(integration: Pick<IntegrationView, 'options' | 'status'>): string {
  const { name, retryAt } = integration.status;
  if (wantsKey(integration)) return words.account.keyNeeded;
  if (name === 'offline' && retryAt !== undefined) return words.offlineUntil(formatMoment(retryAt, Date.now()));
  return words.status[name];
}

/** How far a connection is, in a word. */
export function describeProgress({ state, credentialsRequest }: ConnectionView): string {
  if (state.name === 'urlEntered' && state.cancelled) return words.progress.cancelled;
  // It failed for a mistake of the service: no client ID is needed.
  return words.progress[credentialsRequest?.tryAgain ? 'failed' : state.name];
}

/** With a key there is nobody to sign in: what mends it is the key. */
export function wantsKey({ options, status }: Pick<IntegrationView, 'options' | 'status'>): boolean {
  return options.headerName !== undefined && (status.name === 'signIn' || status.name === 'signInAgain');
}
