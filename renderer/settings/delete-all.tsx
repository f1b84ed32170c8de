import { useRef } from 'react';
import type { DeletedView } from '../../shared/deleted-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useBeforeLeaving } from '../programs/leaving-dialog.tsx';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { flash, show } from '../view.ts';
import { words } from '../words.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';

/** Deletes all that is kept on this computer. Main asks first; once it runs it goes to its end. */
export function DeleteAll() {
  const integrations = useSnapshots((state) => state.integrations) ?? [];
  const call = useCall<DeletedView | null>();
  const outcome = call.value ?? undefined;
  const before = useRef(0);
  const remove = async (entries: string[]): Promise<void> => {
    before.current = integrations.length;
    const deleted = await call.run(() => postern.storage.deleteEverything({ entries }));
    if (!deleted || deleted.failure) return;
    show({ name: 'connect' });
    flash(() => [words.deletion.done(deleted.signIns), ...describeServices(deleted)]);
  };
  const leaving = useBeforeLeaving({ everything: true }, undefined, remove);
  const error = call.error ?? leaving.error ?? outcome?.failure;
  return (
    <div className="stack-tight">
      <p>{words.deletion.settingText}</p>
      <DeletionScope integrations={integrations} />
      {error && (
        <div className="stack-tight" role="status">
          {outcome && (
            <p>
              {[words.deletion.partly(outcome.servers, outcome.signIns), ...describeServices(outcome)].join(' ').trim()}
            </p>
          )}
          <ErrorNotice error={error} actions={{ retry: () => void leaving.begin() }} />
        </div>
      )}
      {call.busy && integrations.length < before.current && (
        <p className="soft" role="status">
          {words.deletion.left(integrations.length)}
        </p>
      )}
      <div>
        <Button kind="danger" busy={call.busy || leaving.busy} onClick={() => void leaving.begin()}>
          {words.deletion.open}
        </Button>
      </div>
      {leaving.dialog}
    </div>
  );
}

function describeServices({ ended, endsByItself, registrationsLeft }: DeletedView): string[] {
  return [
    words.deletion.ended(ended),
    words.deletion.endsByItself(endsByItself),
    words.deletion.registrations(registrationsLeft),
  ];
}

/** What deleting everything takes, and what it leaves. */
function DeletionScope({ integrations }: { readonly integrations: readonly IntegrationView[] }) {
  const servers = integrations.length;
  const signIns = integrations.filter(holdsSecret).length;
  return (
    <div className="stack">
      <section className="stack-tight">
        <h3>{words.deletion.goes}</h3>
        <ul className="plain-list">
          <li>{words.deletion.goesServers(servers)}</li>
          <li>{words.deletion.goesSignIns(signIns)}</li>
          <li>{words.deletion.goesSettings}</li>
          <li>{words.deletion.goesPrograms}</li>
        </ul>
        <p className="soft">{words.deletion.goesThen}</p>
      </section>
      <section className="stack-tight">
        <h3>{words.deletion.stays}</h3>
        <ul className="plain-list">
          <li>{words.deletion.staysAccounts}</li>
          <li>{words.deletion.staysApps}</li>
        </ul>
      </section>
    </div>
  );
}

function holdsSecret({ method, options, status }: IntegrationView): boolean {
  return (method !== 'NoAuth' && status.name !== 'signIn') || options.headerName !== undefined;
}
