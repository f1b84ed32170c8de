import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { showIntegration } from '../view.ts';
import { words } from '../words.ts';

/** The list of servers out and in, without secrets; what came in has to be signed in to, one by one. */
export function ListSection() {
  const saving = useCall<IpcOutput<'list:export'>>();
  const loading = useCall<IpcOutput<'list:import'>>();
  const error = saving.error ?? loading.error;
  return (
    <section className="section" id="settings-list" tabIndex={-1} aria-labelledby="settings-list-title">
      <h2 id="settings-list-title">{words.settings.list}</h2>
      <p className="soft">{words.settings.listText}</p>
      <div className="row">
        <Button busy={saving.busy} onClick={() => void saving.run(() => postern.list.export())}>
          {words.settings.exportButton}
        </Button>
        <Button busy={loading.busy} onClick={() => void loading.run(() => postern.list.import({}))}>
          {words.settings.importButton}
        </Button>
        <span className="soft small" role="status">
          {saving.value?.saved && words.settings.exported}
        </span>
      </div>
      {error && <ErrorNotice error={error} />}
      {loading.value && !loading.value.cancelled && <Imported result={loading.value} />}
    </section>
  );
}

function Imported({ result }: { readonly result: IpcOutput<'list:import'> }) {
  const integrations = useSnapshots((state) => state.integrations);
  const waiting = (integrations ?? []).filter(
    ({ id, status }) => result.added.includes(id) && status.name === 'signIn',
  );
  return (
    <div className="stack-tight" role="status">
      <p>
        {words.settings.imported(result.added.length)}{' '}
        {result.skipped > 0 && `${words.settings.importSkipped(result.skipped)} `}
        {result.refused > 0 && `${words.settings.importRefused(result.refused)} `}
        {result.leftOut > 0 && words.settings.importLeftOut(result.leftOut)}
      </p>
      {waiting.length > 0 && (
        <>
          <p className="soft">{words.settings.checklist}</p>
          <ul>
            {waiting.map(({ id, name }) => (
              <li key={id}>
                <Button kind="quiet" onClick={() => showIntegration(id)}>
                  {name}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
