import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { useBeforeLeaving } from '../programs/leaving-dialog.tsx';
import { removeServers } from '../remove-servers.ts';
import { useCall } from '../use-call.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';

/** What removal does, here and at the service, before it is done. It never waits for a network. */
export function RemoveTab({ integration }: { readonly integration: IntegrationView }) {
  const { id, name, method, options } = integration;
  const call = useCall<IpcOutput<'integration:remove'>>();
  const signsIn = method !== 'NoAuth';
  const hasKey = options.headerName !== undefined;
  const remove = async (entries: string[]): Promise<void> => {
    const outcome = await call.run(() => removeServers([id], entries));
    if (outcome) show({ name: 'home' });
  };
  const leaving = useBeforeLeaving({ integrations: [id] }, name, remove);
  const error = call.error ?? leaving.error;
  return (
    <div className="stack">
      <p className="soft">{words.integration.removeText}</p>
      {signsIn ? (
        <section className="stack-tight">
          <p>{words.integration.removeWill}</p>
          <ul className="plain-list">
            <li>{words.integration.removeList.tokens}</li>
            {method === 'OAuthWithDCR' && <li>{words.integration.removeList.registration}</li>}
          </ul>
        </section>
      ) : (
        <p>{hasKey ? words.integration.removeKey : words.integration.removeNothing}</p>
      )}
      <section className="stack-tight">
        <h2>{words.integration.removeKeeps}</h2>
        <ul className="plain-list">
          {method === 'OAuth' && <li>{words.integration.removeKeepsApp}</li>}
          <li>{words.integration.removeKeepsData}</li>
        </ul>
      </section>
      {error && (
        <ErrorNotice
          error={error}
          actions={{ retry: () => void leaving.begin(), storage: () => show({ name: 'settings', section: 'storage' }) }}
        />
      )}
      <div>
        <Button
          kind="danger"
          busy={call.busy || leaving.busy || integration.busy === 'removing'}
          onClick={() => void leaving.begin()}
        >
          {words.integration.removeButton}
        </Button>
      </div>
      {leaving.dialog}
    </div>
  );
}
