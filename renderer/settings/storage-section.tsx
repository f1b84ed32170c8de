import { Check, X } from 'lucide-react';
import { useRef } from 'react';
import type { AppView, CheckView } from '../../shared/app-view.ts';
import type { DeletedView } from '../../shared/deletion-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { checkSteps } from '../../shared/status-words.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { postern, useCall } from '../postern.ts';
import { useBeforeLeaving } from '../programs/leaving-dialog.tsx';
import { useSnapshots } from '../store.ts';
import { flash, show } from '../view.ts';
import { words } from '../words.ts';
import { Setting } from './setting.tsx';

/**
 * Where secrets are kept, whether that works, and a test that writes, reads and deletes for real, and looks at what servers
 * on this computer and apps need.
 */
export function StorageSection({ app }: { readonly app: AppView }) {
  const test = useCall<IpcOutput<'storage:selfTest'>>();
  return (
    <section className="section" id="settings-storage" tabIndex={-1} aria-labelledby="settings-storage-title">
      <h2 id="settings-storage-title">{words.settings.storage}</h2>
      <Setting name={words.settings.checks.keychain} flush>
        <p>{describeStorage(app)}</p>
        {app.storage.error && <p className="soft">{words.errors.nextStep(app.storage.error.remedy)}</p>}
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
      <Setting name={words.settings.proxy} flush>
        {describeProxy(app)}
      </Setting>
      <CertificateSetting file={app.settings.certificateFile} />
      <ActivitySetting app={app} />
      <Setting name={words.deletion.setting} flush>
        <DeleteAll />
      </Setting>
    </section>
  );
}

/** The certificate authorities that connections may be vouched for by. */
function CertificateSetting({ file }: { readonly file: string | undefined }) {
  const call = useCall<unknown>();
  const own = words.settings;
  return (
    <Setting name={own.certificates} flush>
      <p>{file === undefined ? own.certificatesOfSystem : own.certificatesOfFile(file)}</p>
      <div className="row">
        <Button busy={call.busy} onClick={() => void call.run(() => postern.settings.chooseCertificateFile())}>
          {own.chooseCertificates}
        </Button>
        {file !== undefined && (
          <Button
            kind="quiet"
            disabled={call.busy}
            onClick={() => void call.run(() => postern.settings.update({ certificateFile: null }))}
          >
            {own.forgetCertificates}
          </Button>
        )}
      </div>
      <p className="field-hint">{own.certificatesHint}</p>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </Setting>
  );
}

function describeProxy({ proxy: { mode, host } }: AppView): string {
  switch (mode) {
    case 'direct':
      return words.settings.proxyDirect;
    case 'inUse':
      return words.settings.proxyInUse(host);
    case 'notUsed':
      return words.settings.proxyNotUsed(host);
  }
}

function describeStorage({ storage }: AppView): string {
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

/** Whether it is noted which program calls what. */
function ActivitySetting({ app }: { readonly app: AppView }) {
  const call = useCall<null>();
  return (
    <Setting name={words.activity.setting} flush>
      <CheckBox
        checked={app.settings.activity === 'on'}
        onChange={(isOn) => void call.run(() => postern.settings.update({ activity: isOn ? 'on' : 'off' }))}
        label={words.activity.settingLabel}
        hint={words.activity.settingHint}
      />
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </Setting>
  );
}

/** Deletes all that is kept on this computer. Main asks first; once it runs it goes to its end. */
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
