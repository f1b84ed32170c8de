import { useSyncExternalStore } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { IntegrationStatus, IntegrationView } from '../../shared/integration-view.ts';
import { useKnownServer } from '../catalog/catalog.ts';
import { PictureTile, usePicture } from '../components/picture-tile.tsx';
import { ServiceIcon } from '../components/service-icon.tsx';
import { postern } from '../postern.ts';
import { formatMoment, words } from '../words.ts';
import './status-mark.css';

interface ServerIconProps {
  readonly integration: Pick<IntegrationView, 'id' | 'name' | 'url' | 'icons'>;
  readonly size: 'small' | 'large';
}

const darkScheme = matchMedia('(prefers-color-scheme: dark)');

/** The server's own icon, light or dark; until it is loaded, or if there is none, the tile of its service. */
export function ServerIcon({ integration, size }: ServerIconProps) {
  const isDark = useSyncExternalStore(followTheme, () => darkScheme.matches);
  const mark = isDark ? integration.icons?.dark : integration.icons?.light;
  const picture = usePicture(mark, () => postern.integration.icon({ id: integration.id, mark: mark ?? '' }));
  const service = useKnownServer(integration.url)?.name;
  return picture ? (
    <PictureTile picture={picture} size={size} />
  ) : (
    <ServiceIcon name={integration.name} brand={{ service }} size={size} />
  );
}

function followTheme(onChange: () => void): () => void {
  darkScheme.addEventListener('change', onChange);
  return () => darkScheme.removeEventListener('change', onChange);
}

/** A status by shape first and color second; its word is next to it or announced. */
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

/** The status in a word, with the time of the next retry if there is one. */
export function describeStatus(integration: Pick<IntegrationView, 'options' | 'status'>): string {
  const { name, retryAt } = integration.status;
  if (needsKey(integration)) return words.account.keyNeeded;
  if (name === 'offline' && retryAt !== undefined) return words.offlineUntil(formatMoment(retryAt, Date.now()));
  return words.status[name];
}

/** Progress of a connection, in a word. */
export function describeProgress({ state, credentialsRequest }: ConnectionView): string {
  if (state.name === 'urlEntered' && state.cancelled) return words.progress.cancelled;
  // It failed on the service's side; no client ID is needed.
  return words.progress[credentialsRequest?.tryAgain ? 'failed' : state.name];
}

/** A server used with an API key has no sign-in: it needs a new key. */
export function needsKey({ options, status }: Pick<IntegrationView, 'options' | 'status'>): boolean {
  return options.headerName !== undefined && (status.name === 'signIn' || status.name === 'signInAgain');
}
