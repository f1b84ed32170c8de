import type { ConnectionView } from '../../shared/connection-view.ts';
import type { IntegrationStatus, IntegrationView } from '../../shared/integration-view.ts';
import { formatMoment, words } from '../words.ts';
import './status-mark.css';

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
