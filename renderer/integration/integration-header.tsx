import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcResult } from '../../shared/postern-api.ts';
import { wayOutOf } from '../../shared/way-out.ts';
import { describeStatus } from '../integrations/describe-status.ts';
import { wantsKey } from '../integrations/wants-key.ts';
import { StatusMark } from '../integrations/status-mark.tsx';
import { Button } from '../parts/button.tsx';
import { placeOfAddress } from '../parts/place-of-address.ts';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';
import { ReplaceKey } from './replace-key.tsx';

/** The name and the one truthful state, with its reason and the button that mends it. Quiet when all is well. */
export function IntegrationHeader({ integration }: { readonly integration: IntegrationView }) {
  const { name, url, status, busy, wantedBy } = integration;
  const call = useCall<unknown>();
  const { id } = integration;
  const mend = (): void => {
    if (status.name === 'storageProblem') show({ name: 'settings', section: 'storage' });
    else if (status.name === 'offline') void call.run(() => tryNow(integration));
    else void call.run(() => postern.integration.signInAgain({ id }));
  };
  const label = busy === undefined ? describeStatus(integration) : words.busy[busy];
  return (
    <header className={`integration-head integration-state ${busy ?? status.name}`}>
      <div className="integration-line-one">
        <ServiceIcon name={name} size="large" />
        <div className="integration-titles">
          <h1 title={name}>{name}</h1>
          <p className="integration-state-line small">
            <StatusMark status={busy === undefined ? status.name : 'busy'} />
            <span role="status">{label}</span>
            <span className="soft integration-place" title={url}>
              {placeOfAddress(url, integration.host)}
            </span>
          </p>
        </div>
      </div>
      {busy === undefined && status.name !== 'ready' && (
        <div className="integration-reason">
          {wantedBy !== undefined && <p className="integration-wanted">{words.integration.wanted(wantedBy, name)}</p>}
          <p className="soft">
            {reasonOf(integration)} {wantedBy !== undefined && words.integration.wantedNext(wantedBy)}
          </p>
          {wantsKey(integration) ? (
            <ReplaceKey integration={integration} kind="primary" />
          ) : (
            <Button kind={status.name === 'offline' ? 'plain' : 'primary'} busy={call.busy} onClick={mend}>
              {words.integration.action[status.name]}
            </Button>
          )}
        </div>
      )}
      {call.error && call.error.message !== status.error?.message && <MendError error={call.error} />}
    </header>
  );
}

/** Where a renewal waits for its next try, that; else the server is asked, which needs no sign-in that could be renewed. */
function tryNow({ id, status }: IntegrationView): Promise<IpcResult<unknown>> {
  const isOfRenewal = status.retryAt !== undefined || (status.error && wayOutOf(status.error) === 'try-or-sign-in');
  return isOfRenewal ? postern.integration.refresh({ id }) : postern.integration.tools({ id });
}

function reasonOf(integration: IntegrationView): string {
  const { error, name } = integration.status;
  if (error === undefined) return wantsKey(integration) ? words.account.keyGone : words.integration.sentence[name];
  // In these states the button is the next step, so the reason alone is enough.
  const saysItself = name === 'signIn' || name === 'signInAgain' || name === 'needsAccess';
  return saysItself ? error.message : `${error.message} ${words.errors.nextStep(error.remedy)}`;
}

function MendError({ error }: { readonly error: PlainError }) {
  return (
    <p className="field-error" role="alert">
      {error.message} {words.errors.nextStep(error.remedy)}
    </p>
  );
}
