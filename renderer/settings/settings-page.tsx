import { useEffect } from 'react';
import type { DesktopView, UpdateView } from '../../shared/desktop-view.ts';
import { callbackHosts, languages, officialRegistry, themes, windowSurfaces } from '../../shared/choices.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { readRegistryAddress } from '../../shared/web-address.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button, CopyLine } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { Facts, hostOfAddress } from '../components/facts.tsx';
import { Choice } from '../components/field.tsx';
import { RadioChoice } from '../components/radio-choice.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { showIntegration } from '../view.ts';
import type { SettingsSection } from '../view.ts';
import { formatRelative, useNow, words } from '../words.ts';
import { BackgroundSection } from './background-section.tsx';
import { AddressSettingForm, PortForm, Setting } from './setting.tsx';
import './settings-page.css';
import { StorageSection } from './storage-section.tsx';

interface SettingsPageProps {
  /** The section to scroll to. */
  readonly section: SettingsSection | undefined;
}

export function SettingsPage({ section }: SettingsPageProps) {
  const desktop = useSnapshots((state) => state.desktop);
  useEffect(() => {
    if (section === undefined) return;
    const target = document.querySelector<HTMLElement>(`#settings-${section}`);
    target?.scrollIntoView({ block: 'start' });
    target?.focus();
  }, [section]);
  if (desktop === undefined) return null;
  return (
    <div className="page settings">
      <h1>{words.settings.title}</h1>
      <SignInSection desktop={desktop} />
      <BackgroundSection desktop={desktop} />
      <AppearanceSection desktop={desktop} />
      <StorageSection desktop={desktop} />
      <ListSection />
      <RegistrySection desktop={desktop} />
      <UpdateSection desktop={desktop} />
      <AboutSection desktop={desktop} />
    </div>
  );
}

function AppearanceSection({ desktop }: { readonly desktop: DesktopView }) {
  const call = useCall<null>();
  const { theme, language } = desktop.settings;
  return (
    <section className="section" id="settings-appearance" tabIndex={-1} aria-labelledby="settings-appearance-title">
      <h2 id="settings-appearance-title">{words.settings.appearance}</h2>
      <Setting name={words.settings.theme}>
        <Choice
          aria-label={words.settings.theme}
          value={theme}
          options={themes.map((value) => ({ value, label: words.settings.themes[value] }))}
          onChoose={(chosen) => void call.run(() => postern.settings.update({ theme: chosen }))}
        />
      </Setting>
      <Setting name={words.settings.language}>
        <Choice
          aria-label={words.settings.language}
          value={language}
          options={languages.map((value) => ({ value, label: words.settings.languages[value] }))}
          onChoose={(chosen) => void call.run(() => postern.settings.update({ language: chosen }))}
        />
      </Setting>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </section>
  );
}

/** Whether the MCP registry may be searched, and which one. */
function RegistrySection({ desktop }: { readonly desktop: DesktopView }) {
  const { searchesRegistry, registry } = desktop.settings;
  const call = useCall<null>();
  const texts = words.registry;
  return (
    <section className="section" id="settings-registry" tabIndex={-1} aria-labelledby="settings-registry-title">
      <h2 id="settings-registry-title">{texts.title}</h2>
      <Setting name={texts.setting} flush>
        <CheckBox
          checked={searchesRegistry}
          onChange={(isOn) => void call.run(() => postern.settings.update({ searchesRegistry: isOn }))}
          label={texts.choose}
          hint={texts.sends(hostOfAddress(registry, ''))}
        />
      </Setting>
      <Setting name={texts.address}>
        <RegistryAddressForm registry={registry} />
      </Setting>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </section>
  );
}

function RegistryAddressForm({ registry }: { readonly registry: string }) {
  const texts = words.registry;
  const read = (text: string) => {
    const { address, refused } = readRegistryAddress(text);
    return { address, why: refused && texts.refused[refused] };
  };
  return (
    <AddressSettingForm
      label={texts.address}
      hint={texts.addressHint}
      setting="registry"
      value={registry}
      maxLength={2_048}
      read={read}
      reset={registry === officialRegistry ? undefined : texts.official}
    />
  );
}

/** Exports and imports the server list, without secrets. Imported servers need a sign-in each. */
function ListSection() {
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
          {saving.value?.saved && `${words.settings.exported} `}
          {saving.value?.saved &&
            saving.value.leftOut.length > 0 &&
            words.settings.exportLeftOut(saving.value.leftOut.length)}
        </span>
      </div>
      {error && <ErrorNotice error={error} />}
      {loading.value && !loading.value.cancelled && <ImportSummary result={loading.value} />}
    </section>
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

function UpdateSection({ desktop }: { readonly desktop: DesktopView }) {
  const { update } = desktop;
  const call = useCall<null>();
  if (update === undefined) return null;
  const { obstacle, automatic, error } = update;
  return (
    <section className="section" id="settings-update" tabIndex={-1} aria-labelledby="settings-update-title">
      <h2 id="settings-update-title">{words.update.title}</h2>
      <Setting name={words.update.newer} flush>
        {obstacle === undefined ? (
          <div className="stack-tight">
            <CheckBox
              checked={automatic}
              onChange={(chosen) => void call.run(() => postern.settings.update({ checkForUpdates: chosen }))}
              label={words.update.automatic}
              hint={words.update.automaticHint}
            />
            <div className="row">
              <UpdateStep update={update} version={desktop.version} />
            </div>
          </div>
        ) : (
          <p className="soft">{words.update.obstacles[obstacle]}</p>
        )}
      </Setting>
      {error && <ErrorNotice error={error} />}
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </section>
  );
}

/** State of the update, and the one action for it. */
function UpdateStep({ update, version: running }: { readonly update: UpdateView; readonly version: string }) {
  const now = useNow(60_000);
  const { state, version = '', percent = 0, checkedAt } = update;
  switch (state) {
    case 'available':
      return (
        <>
          <Button onClick={() => void postern.update.download()}>{words.update.download}</Button>
          <span role="status">{words.update.available(version)}</span>
        </>
      );
    case 'downloading':
      return (
        <>
          <progress max={100} value={percent} aria-label={words.update.downloading(version, percent)} />
          <span className="soft">{words.update.downloading(version, percent)}</span>
        </>
      );
    case 'ready':
      return (
        <>
          <Button onClick={() => void postern.update.install()}>{words.update.restart}</Button>
          <span role="status">{words.update.ready(version)}</span>
        </>
      );
    default: {
      const when = checkedAt === undefined ? undefined : formatRelative(checkedAt, now);
      return (
        <>
          <Button busy={state === 'checking'} onClick={() => void postern.update.check()}>
            {words.update.check}
          </Button>
          <span className="soft" role="status">
            {state === 'checking' && words.update.checking}
            {state === 'idle' && !update.error && words.update.current(running, when)}
          </span>
        </>
      );
    }
  }
}

function AboutSection({ desktop }: { readonly desktop: DesktopView }) {
  const command = words.common.commandKey(desktop.platform === 'darwin');
  const list = words.settings.shortcutList;
  const shortcuts: readonly (readonly [string, readonly string[]])[] = [
    [list.connect, [command, 'N']],
    [words.palette.open, [command, 'K']],
    [list.search, [command, 'F']],
    [list.settings, [command, ',']],
    [list.fold, [command, 'B']],
    [list.move, ['↑', '↓']],
    [list.rename, ['F2']],
    [list.remove, [desktop.platform === 'darwin' ? '⌫' : words.settings.deleteKey]],
    [list.close, ['Esc']],
  ];
  return (
    <section className="section" id="settings-about" tabIndex={-1} aria-labelledby="settings-about-title">
      <h2 id="settings-about-title">{words.settings.about}</h2>
      <Facts
        facts={[
          { term: words.settings.version, value: `${words.common.product} ${desktop.version}` },
          ...desktop.runtime.map(({ name, version }) => ({ term: name, value: version })),
          {
            term: words.settings.shortcuts,
            value: (
              <ul className="stack-tight">
                {shortcuts.map(([name, keys]) => (
                  <li className="row" key={name}>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                    {name}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
      <div className="row">
        <Button onClick={() => void postern.desktop.openLogs()}>{words.settings.logs}</Button>
        <span className="soft small">{words.settings.logsHint}</span>
      </div>
    </section>
  );
}

function SignInSection({ desktop }: { readonly desktop: DesktopView }) {
  const { signInSurface, connectAtOnce, callbackHost, callbackPort } = desktop.settings;
  const call = useCall<null>();
  return (
    <section className="section" id="settings-callback" tabIndex={-1} aria-labelledby="settings-sign-in-title">
      <h2 id="settings-sign-in-title">{words.settings.signIn}</h2>
      <Setting name={words.settings.surface} flush>
        <RadioChoice
          label={words.settings.surface}
          value={signInSurface}
          options={windowSurfaces.map((value) => ({
            value,
            label: words.settings.surfaces[value],
            hint: words.settings.surfaceHints[value],
          }))}
          onChoose={(surface) => void call.run(() => postern.settings.update({ signInSurface: surface }))}
        />
      </Setting>
      <Setting name={words.settings.check} flush>
        <CheckBox
          checked={connectAtOnce}
          onChange={(chosen) => void call.run(() => postern.settings.update({ connectAtOnce: chosen }))}
          label={words.settings.connectAtOnce}
          hint={words.settings.connectAtOnceHint}
        />
      </Setting>
      <Setting name={words.settings.callbackUrl}>
        {desktop.callbackUrl === undefined ? (
          <span className="soft">{words.settings.callbackUrlNone}</span>
        ) : (
          <CopyLine
            label={words.settings.callbackUrl}
            value={desktop.callbackUrl}
            onCopy={async () => (await postern.desktop.copy({ kind: 'callbackUrl' })).ok}
          />
        )}
      </Setting>
      <Setting name={words.settings.callbackHost}>
        <Choice
          aria-label={words.settings.callbackHost}
          value={callbackHost}
          options={callbackHosts.map((value) => ({ value, label: words.settings.callbackHosts[value] }))}
          onChoose={(host) => void call.run(() => postern.settings.update({ callbackHost: host }))}
        />
        <p className="field-hint">{words.settings.callbackHostHint}</p>
      </Setting>
      <Setting name={words.settings.callbackPort}>
        <CallbackPortForm key={callbackPort} port={callbackPort} />
      </Setting>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </section>
  );
}

/** The port is part of the redirect URI that services have registered. */
function CallbackPortForm({ port }: { readonly port: number | undefined }) {
  const saving = useCall<null>();
  return (
    <PortForm
      stateKey="callback port"
      label={words.settings.callbackPort}
      hint={words.settings.callbackPortHint}
      port={port}
      busy={saving.busy}
      failure={saving.error}
      onPort={(callbackPort) => void saving.run(() => postern.settings.update({ callbackPort }))}
    />
  );
}
