import { useState } from 'react';
import type { DesktopView } from '../../shared/desktop-view.ts';
import type { AppOutcomes, AppPreviews } from '../../shared/app-view.ts';
import { readWebOrigin } from '../../shared/web-address.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { postern, useCall } from '../postern.ts';
import { PreviewDialog, PreviewList } from '../apps/preview-dialog.tsx';
import { words } from '../words.ts';
import { AddressSettingForm, PortForm, Setting } from './setting.tsx';

/** Settings for Postern running without its window. */
export function BackgroundSection({ desktop }: { readonly desktop: DesktopView }) {
  const call = useCall<null>();
  const { keepRunning, startAtLogin } = desktop.settings;
  const texts = words.settings;
  return (
    <section className="section" id="settings-background" tabIndex={-1} aria-labelledby="settings-background-title">
      <h2 id="settings-background-title">{texts.background}</h2>
      <Setting name={texts.closing} flush>
        <CheckBox
          checked={keepRunning}
          onChange={(chosen) => void call.run(() => postern.settings.update({ keepRunning: chosen }))}
          label={texts.keepRunning}
          hint={texts.keepRunningHint(desktop.platform)}
        />
      </Setting>
      <Setting name={texts.start} flush>
        <CheckBox
          checked={startAtLogin}
          disabled={!desktop.canStartAtLogin}
          onChange={(chosen) => void call.run(() => postern.settings.update({ startAtLogin: chosen }))}
          label={texts.startAtLogin}
          hint={desktop.canStartAtLogin ? texts.startAtLoginHint : texts.startAtLoginNone}
        />
      </Setting>
      <Setting name={texts.apps} flush>
        <CheckBox
          checked={desktop.settings.appsPaused}
          onChange={(chosen) => void call.run(() => postern.settings.update({ appsPaused: chosen }))}
          label={texts.pause}
          hint={texts.pauseHint}
        />
      </Setting>
      <Setting name={words.permits.whenChanged} flush>
        <CheckBox
          checked={desktop.settings.changedTools === 'hold'}
          onChange={(holds) => void call.run(() => postern.settings.update({ changedTools: holds ? 'hold' : 'show' }))}
          label={words.permits.changedRule.hold}
          hint={words.permits.changedRuleHint.hold}
        />
      </Setting>
      {desktop.settings.gatewayPort !== undefined && (
        <>
          <Setting name={texts.gatewayPort}>
            <GatewayPortForm port={desktop.settings.gatewayPort} />
          </Setting>
          <Setting name={texts.allowedOrigin}>
            <AllowedOriginForm key={desktop.settings.allowedOrigin} origin={desktop.settings.allowedOrigin} />
          </Setting>
        </>
      )}
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </section>
  );
}

/** App entries contain the port, so they are previewed and updated with it. */
function GatewayPortForm({ port }: { readonly port: number }) {
  const [pending, setPending] = useState<{ readonly port: number; readonly found: AppPreviews }>();
  const [refusals, setRefusals] = useState<AppOutcomes['refused']>([]);
  const previewing = useCall<AppPreviews>();
  const saving = useCall<AppOutcomes>();
  const previewChange = async (newPort: number): Promise<void> => {
    setRefusals([]);
    const found = await previewing.run(() => postern.app.previewPort({ port: newPort }));
    if (!found) return;
    if (found.previews.length === 0 && found.refused.length === 0)
      await saving.run(() => postern.app.changePort({ port: newPort, tokens: [] }));
    else setPending({ port: newPort, found });
  };
  return (
    <>
      <PortForm
        key={port}
        id="settings-gateway-port"
        stateKey="gateway port"
        label={words.settings.gatewayPort}
        hint={words.settings.gatewayPortHint}
        port={port}
        busy={previewing.busy || saving.busy}
        failure={previewing.error ?? saving.error}
        onPort={(newPort) => void previewChange(newPort)}
      />
      {refusals.length > 0 && <PreviewList appPreviews={{ previews: [], refused: refusals }} />}
      {pending && (
        <PreviewDialog
          title={words.settings.gatewayPortRenew}
          appPreviews={pending.found}
          onApply={({ tokens }) => postern.app.changePort({ port: pending.port, tokens })}
          fallback={{ label: words.settings.gatewayPortChange, text: words.settings.gatewayPortManual }}
          onClose={() => setPending(undefined)}
          onDone={({ refused }) => {
            setPending(undefined);
            setRefusals(refused);
          }}
        />
      )}
    </>
  );
}

/** The one web origin that may use Postern over HTTP. */
function AllowedOriginForm({ origin }: { readonly origin: string | undefined }) {
  const texts = words.settings;
  const read = (text: string) => {
    const address = readWebOrigin(text.trim());
    return address === undefined && text !== '' ? { why: texts.allowedOriginWrong } : { address };
  };
  return (
    <AddressSettingForm
      label={texts.allowedOrigin}
      hint={texts.allowedOriginHint}
      setting="allowedOrigin"
      value={origin ?? ''}
      placeholder="http://localhost:6274"
      maxLength={300}
      read={read}
      reset={origin === undefined ? undefined : texts.allowedOriginNone}
    />
  );
}
