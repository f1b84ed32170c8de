import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { postern } from '../postern.ts';

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
