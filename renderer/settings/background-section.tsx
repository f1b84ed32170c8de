import { useState } from 'react';
import type { AppView } from '../../shared/app-view.ts';
import type { ProgramOutcomes, ProgramPreviews } from '../../shared/program-view.ts';
import { readWebOrigin } from '../../shared/web-address.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { postern, useCall } from '../postern.ts';
import { PreviewDialog, ShownPreviews } from '../programs/preview-dialog.tsx';
import { words } from '../words.ts';
import { AddressSettingForm, PortForm, Setting } from './setting.tsx';

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
          checked={app.settings.programsPaused}
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
            <GatewayPortForm port={app.settings.gatewayPort} />
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

/** The port stands in entries of programs, which are shown before it changes and renewed with it. */
function GatewayPortForm({ port }: { readonly port: number }) {
  const [asked, setAsked] = useState<{ readonly port: number; readonly found: ProgramPreviews }>();
  const [leftAlone, setLeftAlone] = useState<ProgramOutcomes['refused']>([]);
  const looking = useCall<ProgramPreviews>();
  const saving = useCall<ProgramOutcomes>();
  const ask = async (wanted: number): Promise<void> => {
    setLeftAlone([]);
    const found = await looking.run(() => postern.program.previewPort({ port: wanted }));
    if (!found) return;
    if (found.previews.length === 0 && found.refused.length === 0)
      await saving.run(() => postern.program.changePort({ port: wanted, tokens: [] }));
    else setAsked({ port: wanted, found });
  };
  return (
    <>
      <PortForm
        key={port}
        id="settings-gateway-port"
        place="gateway port"
        label={words.settings.gatewayPort}
        hint={words.settings.gatewayPortHint}
        port={port}
        busy={looking.busy || saving.busy}
        failure={looking.error ?? saving.error}
        onPort={(wanted) => void ask(wanted)}
      />
      {leftAlone.length > 0 && <ShownPreviews shown={{ previews: [], refused: leftAlone }} />}
      {asked && (
        <PreviewDialog
          title={words.settings.gatewayPortRenew}
          shown={asked.found}
          onMake={({ tokens }) => postern.program.changePort({ port: asked.port, tokens })}
          otherwise={{ label: words.settings.gatewayPortChange, text: words.settings.gatewayPortLeft }}
          onClose={() => setAsked(undefined)}
          onDone={({ refused }) => {
            setAsked(undefined);
            setLeftAlone(refused);
          }}
        />
      )}
    </>
  );
}

/** The one web page that may use Postern over HTTP. */
function AllowedOriginForm({ origin }: { readonly origin: string | undefined }) {
  const own = words.settings;
  const read = (text: string) => {
    const address = readWebOrigin(text.trim());
    return address === undefined && text !== '' ? { why: own.allowedOriginWrong } : { address };
  };
  return (
    <AddressSettingForm
      label={own.allowedOrigin}
      hint={own.allowedOriginHint}
      setting="allowedOrigin"
      value={origin ?? ''}
      placeholder="http://localhost:6274"
      maxLength={300}
      read={read}
      reset={origin === undefined ? undefined : own.allowedOriginNone}
    />
  );
}
