import type { AppView } from '../../shared/app-view.ts';
import { callbackHosts, windowSurfaces } from '../../shared/choices.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { CopyLine } from '../parts/copy-line.tsx';
import { Choice } from '../parts/choice.tsx';
import { RadioChoice } from '../parts/radio-choice.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { CallbackPortForm } from './callback-port-form.tsx';
import { Setting } from './setting.tsx';

export function SignInSection({ app }: { readonly app: AppView }) {
  const { signInSurface, connectAtOnce, callbackHost, callbackPort } = app.settings;
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
        {app.callbackUrl === undefined ? (
          <span className="soft">{words.settings.callbackUrlNone}</span>
        ) : (
          <CopyLine
            label={words.settings.callbackUrl}
            value={app.callbackUrl}
            onCopy={async () => (await postern.app.copy({ kind: 'callbackUrl' })).ok}
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
