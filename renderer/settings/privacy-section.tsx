// What is stored on this computer: secrets, activity, the list of servers, and deleting everything.

import { Check, X } from 'lucide-react';
import { useRef } from 'react';
import type { DesktopView, CheckView } from '../../shared/desktop-view.ts';
import type { DeletedView } from '../../shared/deletion-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { checkSteps } from '../../shared/status-words.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { postern, useCall } from '../postern.ts';
import { useStaleEntries } from '../apps/use-stale-entries.tsx';
import { useSnapshots } from '../store.ts';
import { flash, show, showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { Section, Setting } from './setting.tsx';

/**
 * Where secrets are stored and whether that works, with a self-test that really writes, reads and deletes, and that
 * checks what local servers and apps need.
 */
export function PrivacySection({ desktop }: { readonly desktop: DesktopView }) {
  const test = useCall<IpcOutput<'storage:selfTest'>>();
  return (
    <Section section="privacy">
      <Setting row="keychain" flush>
        {/* A failed test knows better than the last use. */}
        {!test.value?.checks.some(({ name, ok }) => !ok && isStorageCheck(name)) && <p>{describeStorage(desktop)}</p>}
        {desktop.storage.error && <p className="soft">{words.errors.nextStep(desktop.storage.error.remedy)}</p>}
        {test.value && (
          <div role="status">
            <ul className="checks">
              {test.value.checks.map((check) => (
                <li
                  className={`check-line${check.ok ? '' : ' wrong'}`}
                  key={[check.name, check.of, check.entry].join(' ')}
                >
                  {check.ok ? <Check aria-hidden="true" size={15} /> : <X aria-hidden="true" size={15} />}
                  <span>
                    {words.settings.checkOf(words.settings.checks[check.name], check.of)}:{' '}
                    {check.ok ? words.settings.checkOk : messageOf(check)}
                    {stepOf(check) && <span className="soft"> {stepOf(check)}</span>}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )}
        {test.error && <ErrorNotice error={test.error} />}
        <div>
          <Button busy={test.busy} onClick={() => void test.run(() => postern.storage.selfTest())}>
            {words.settings.storageTest}
          </Button>
        </div>
      </Setting>
      <ActivitySetting desktop={desktop} />
      <ListSetting />
      <Setting row="deleteAll" flush>
        <DeleteAll />
      </Setting>
    </Section>
  );
}

function isStorageCheck(name: CheckView['name']): boolean {
  return name === 'keychain' || name === 'vault';
}

function describeStorage({ storage }: DesktopView): string {
  if (storage.state === 'checking') return words.settings.storageChecking;
  if (storage.error !== undefined) return words.errors.message(storage.error);
  if (storage.memoryOnly) return words.banner.memoryOnlyText;
  return words.settings.storageOk(words.settings.backends[storage.backend] ?? storage.backend);
}

function messageOf({ code, message, detail, fault, entry = '', of = '', ...facts }: CheckView): string {
  if (fault) return words.settings.checkFaults[fault](entry, { ...facts, of });
  return code === undefined || message === undefined ? '' : words.errors.message({ code, message, detail });
}

function stepOf({ fault, of = '', remedy }: CheckView): string | undefined {
  if (fault) return words.settings.checkSteps[checkSteps[fault]](of);
  return remedy && words.errors.nextStep(remedy);
}

/** Whether calls of apps are logged. */
function ActivitySetting({ desktop }: { readonly desktop: DesktopView }) {
  const call = useCall<null>();
  return (
    <Setting row="activity" flush>
      <CheckBox
        checked={desktop.settings.activity === 'on'}
        onChange={(isOn) => void call.run(() => postern.settings.update({ activity: isOn ? 'on' : 'off' }))}
        label={words.activity.settingLabel}
        hint={words.activity.settingHint}
      />
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </Setting>
  );
}

/** Exports and imports the server list, without secrets. Imported servers need a sign-in each. */
function ListSetting() {
  const saving = useCall<IpcOutput<'list:export'>>();
  const loading = useCall<IpcOutput<'list:import'>>();
  const error = saving.error ?? loading.error;
  return (
    <Setting row="list" flush>
      <p className="soft">{words.settings.listText}</p>
      <div className="row">
        <Button busy={saving.busy} onClick={() => void saving.run(() => postern.list.export())}>
          {words.settings.exportButton}
        </Button>
        <Button busy={loading.busy} onClick={() => void loading.run(() => postern.list.import({}))}>
          {words.settings.importButton}
        </Button>
        <span className="soft small" role="status">
          {saving.value?.saved && `${words.settings.exported} `}
          {saving.value?.saved &&
            saving.value.leftOut.length > 0 &&
            words.settings.exportLeftOut(saving.value.leftOut.length)}
        </span>
      </div>
      {error && <ErrorNotice error={error} />}
      {loading.value && !loading.value.cancelled && <ImportSummary result={loading.value} />}
    </Setting>
  );
}

function ImportSummary({ result }: { readonly result: IpcOutput<'list:import'> }) {
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

/** Deletes everything stored on this computer. Main asks for confirmation; it cannot be stopped once started. */
function DeleteAll() {
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
  const staleEntries = useStaleEntries({ everything: true }, undefined, remove);
  const error = call.error ?? staleEntries.error ?? outcome?.failure;
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
          <ErrorNotice error={error} actions={{ retry: () => void staleEntries.begin() }} />
        </div>
      )}
      {call.busy && integrations.length < before.current && (
        <p className="soft" role="status">
          {words.deletion.serversLeft(integrations.length)}
        </p>
      )}
      <div>
        <Button kind="danger" busy={call.busy || staleEntries.busy} onClick={() => void staleEntries.begin()}>
          {words.deletion.open}
        </Button>
      </div>
      {staleEntries.dialog}
    </div>
  );
}

function describeServices({ ended, endsByItself, registrationsLeft }: DeletedView): string[] {
  return [
    words.deletion.revoked(ended),
    words.deletion.notRevoked(endsByItself),
    words.deletion.registrations(registrationsLeft),
  ];
}

/** What deleting everything removes, and what it leaves. */
function DeletionScope({ integrations }: { readonly integrations: readonly IntegrationView[] }) {
  const servers = integrations.length;
  const signIns = integrations.filter(holdsSecret).length;
  return (
    <div className="stack">
      <section className="stack-tight">
        <h3>{words.deletion.deletedTitle}</h3>
        <ul className="plain-list">
          <li>{words.deletion.deletedServers(servers)}</li>
          <li>{words.deletion.deletedSignIns(signIns)}</li>
          <li>{words.deletion.deletedSettings}</li>
          <li>{words.deletion.deletedApps}</li>
        </ul>
        <p className="soft">{words.deletion.revokesAccess}</p>
      </section>
      <section className="stack-tight">
        <h3>{words.deletion.remainsTitle}</h3>
        <ul className="plain-list">
          <li>{words.deletion.remainingAccounts}</li>
          <li>{words.deletion.remainingApps}</li>
        </ul>
      </section>
    </div>
  );
}

function holdsSecret({ method, options, status }: IntegrationView): boolean {
  return (method !== 'NoAuth' && status.name !== 'signIn') || options.headerName !== undefined;
}
