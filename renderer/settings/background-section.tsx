import type { AppView } from '../../shared/app-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { AllowedOriginForm } from './allowed-origin-form.tsx';
import { GatewayPortForm } from './gateway-port-form.tsx';
import { Setting } from './setting.tsx';

/** What Postern does without its window. */
export function BackgroundSection({ app }: { readonly app: AppView }) {
  const call = useCall<null>();
  const { keepRunning, startAtLogin } = app.settings;
  const own = words.settings;
  return (
    <section className="section" id="settings-background" tabIndex={-1} aria-labelledby="settings-background-title">
      <h2 id="settings-background-title">{own.background}</h2>
      <Setting name={own.closing} flush>
        <CheckBox
          checked={keepRunning}
          onChange={(chosen) => void call.run(() => postern.settings.update({ keepRunning: chosen }))}
          label={own.keepRunning}
          hint={own.keepRunningHint(app.platform)}
        />
      </Setting>
      <Setting name={own.start} flush>
        <CheckBox
          checked={startAtLogin}
          disabled={!app.canStartAtLogin}
          onChange={(chosen) => void call.run(() => postern.settings.update({ startAtLogin: chosen }))}
          label={own.startAtLogin}
          hint={app.canStartAtLogin ? own.startAtLoginHint : own.startAtLoginNone}
        />
      </Setting>
      <Setting name={own.programs} flush>
        <CheckBox
          checked={app.programsPaused}
          onChange={(chosen) => void call.run(() => postern.settings.update({ programsPaused: chosen }))}
          label={own.pause}
          hint={own.pauseHint}
        />
      </Setting>
      <Setting name={words.permits.whenChanged} flush>
        <CheckBox
          checked={app.settings.changedTools === 'hold'}
          onChange={(holds) => void call.run(() => postern.settings.update({ changedTools: holds ? 'hold' : 'show' }))}
          label={words.permits.changedRule.hold}
          hint={words.permits.changedRuleHint.hold}
        />
      </Setting>
      {app.settings.gatewayPort !== undefined && (
        <>
          <Setting name={own.gatewayPort}>
            <GatewayPortForm key={app.settings.gatewayPort} port={app.settings.gatewayPort} />
          </Setting>
          <Setting name={own.allowedOrigin}>
            <AllowedOriginForm key={app.settings.allowedOrigin} origin={app.settings.allowedOrigin} />
          </Setting>
        </>
      )}
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </section>
  );
}
