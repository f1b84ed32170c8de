import { useEffect } from 'react';
import type { DesktopView, UpdateView } from '../../shared/desktop-view.ts';
import { languages, themes, windowSurfaces } from '../../shared/choices.ts';
import { advancedSettingsSections } from '../../shared/settings.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Choice } from '../components/field.tsx';
import { RadioChoice } from '../components/radio-choice.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import type { View } from '../view.ts';
import { formatRelative, useNow, words } from '../words.ts';
import { AdvancedSections } from './advanced-sections.tsx';
import { PrivacySection } from './privacy-section.tsx';
import { Section, Setting } from './setting.tsx';
import './settings-page.css';
import { sectionOf } from '../settings-rows.ts';

interface SettingsPageProps {
  readonly view: Extract<View, { name: 'settings' }>;
}

/** Five sections for everybody, and the others under Advanced, which a link to one of them opens. */
export function SettingsPage({ view }: SettingsPageProps) {
  const desktop = useSnapshots((state) => state.desktop);
  const { target } = view;
  const section = target && sectionOf(target);
  useEffect(() => {
    if (target === undefined || section === undefined) return;
    const row = document.querySelector<HTMLElement>(`#setting-${target}`);
    const place = row ?? document.querySelector<HTMLElement>(`#settings-${section}`);
    place?.scrollIntoView({ block: row ? 'center' : 'start' });
    // Not a button: the Enter key that led here must not press it.
    (row?.querySelector<HTMLElement>('input:checked, input, select, [role="checkbox"]') ?? place)?.focus();
  }, [view, target, section]);
  if (desktop === undefined) return null;
  return (
    <div className="page settings">
      <h1>{words.settings.title}</h1>
      <GeneralSection desktop={desktop} />
      <SignInSection desktop={desktop} />
      <AppsSection desktop={desktop} />
      <PrivacySection desktop={desktop} />
      <AboutSection desktop={desktop} />
      <Disclosure
        label={words.settings.advanced}
        forceOpen={advancedSettingsSections.some((name) => name === section) && view}
      >
        <AdvancedSections desktop={desktop} />
      </Disclosure>
    </div>
  );
}

function GeneralSection({ desktop }: { readonly desktop: DesktopView }) {
  const call = useCall<null>();
  const { theme, language, keepRunning, startAtLogin } = desktop.settings;
  const texts = words.settings;
  return (
    <Section section="general">
      <Setting row="language">
        <Choice
          aria-label={texts.language}
          value={language}
          options={languages.map((value) => ({ value, label: texts.languages[value] }))}
          onChoose={(chosen) => void call.run(() => postern.settings.update({ language: chosen }))}
        />
      </Setting>
      <Setting row="theme">
        <Choice
          aria-label={texts.theme}
          value={theme}
          options={themes.map((value) => ({ value, label: texts.themes[value] }))}
          onChoose={(chosen) => void call.run(() => postern.settings.update({ theme: chosen }))}
        />
      </Setting>
      <Setting row="startAtLogin" flush>
        <CheckBox
          checked={startAtLogin}
          disabled={!desktop.canStartAtLogin}
          onChange={(chosen) => void call.run(() => postern.settings.update({ startAtLogin: chosen }))}
          label={texts.startAtLogin}
          hint={desktop.canStartAtLogin ? texts.startAtLoginHint : texts.startAtLoginNone}
        />
      </Setting>
      <Setting row="keepRunning" flush>
        <CheckBox
          checked={keepRunning}
          onChange={(chosen) => void call.run(() => postern.settings.update({ keepRunning: chosen }))}
          label={texts.keepRunning}
          hint={texts.keepRunningHint(desktop.platform)}
        />
      </Setting>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </Section>
  );
}

function SignInSection({ desktop }: { readonly desktop: DesktopView }) {
  const { signInSurface, connectAtOnce } = desktop.settings;
  const call = useCall<null>();
  return (
    <Section section="signIn">
      <Setting row="signInSurface" flush>
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
      <Setting row="connectAtOnce" flush>
        <CheckBox
          checked={connectAtOnce}
          onChange={(chosen) => void call.run(() => postern.settings.update({ connectAtOnce: chosen }))}
          label={words.settings.connectAtOnce}
          hint={words.settings.connectAtOnceHint}
        />
      </Setting>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </Section>
  );
}

function AppsSection({ desktop }: { readonly desktop: DesktopView }) {
  const call = useCall<null>();
  const texts = words.settings;
  return (
    <Section section="apps">
      <Setting row="appsPaused" flush>
        <CheckBox
          checked={desktop.settings.appsPaused}
          onChange={(chosen) => void call.run(() => postern.settings.update({ appsPaused: chosen }))}
          label={texts.pause}
          hint={texts.pauseHint}
        />
      </Setting>
      <Setting row="changedTools" flush>
        <CheckBox
          checked={desktop.settings.changedTools === 'hold'}
          onChange={(holds) => void call.run(() => postern.settings.update({ changedTools: holds ? 'hold' : 'show' }))}
          label={words.permits.changedRule.hold}
          hint={words.permits.changedRuleHint.hold}
        />
      </Setting>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </Section>
  );
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
    <Section section="about">
      <UpdateSetting desktop={desktop} />
      <Setting row="version" flush>
        <p>{`${words.common.product} ${desktop.version}`}</p>
        <p className="field-hint">{desktop.runtime.map(({ name, version }) => `${name} ${version}`).join(' · ')}</p>
      </Setting>
      <Setting row="shortcuts" flush>
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
      </Setting>
      <Setting row="logs" flush>
        <div className="row">
          <Button onClick={() => void postern.desktop.openLogs()}>{words.settings.logs}</Button>
          <span className="soft small">{words.settings.logsHint}</span>
        </div>
      </Setting>
    </Section>
  );
}

function UpdateSetting({ desktop }: { readonly desktop: DesktopView }) {
  const { update } = desktop;
  const call = useCall<null>();
  if (update === undefined) return null;
  const { obstacle, automatic, error } = update;
  return (
    <Setting row="checkForUpdates" flush>
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
      {error && <ErrorNotice error={error} />}
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </Setting>
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
