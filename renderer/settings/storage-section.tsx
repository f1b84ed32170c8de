import { Check, X } from 'lucide-react';
import type { AppView, CheckView } from '../../shared/app-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { ActivitySetting } from './activity-setting.tsx';
import { DeleteAll } from './delete-all.tsx';
import { Setting } from './setting.tsx';

/** Where secrets are kept, whether that works, and a test that writes, reads and deletes for real. */
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
                <li className={`check-line${check.ok ? '' : ' wrong'}`} key={check.name}>
                  {check.ok ? <Check aria-hidden="true" size={15} /> : <X aria-hidden="true" size={15} />}
                  <span>
                    {words.settings.checks[check.name]}: {check.ok ? words.settings.checkOk : messageOf(check)}
                    {check.remedy && <span className="soft"> {words.errors.nextStep(check.remedy)}</span>}
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
      <ActivitySetting app={app} />
      <Setting name={words.deletion.setting} flush>
        <DeleteAll />
      </Setting>
    </section>
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

function messageOf({ code, message, detail }: CheckView): string {
  return code === undefined || message === undefined ? '' : words.errors.message({ code, message, detail });
}
