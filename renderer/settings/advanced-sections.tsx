// Sections of the settings that only some users need.

import { useState } from 'react';
import type { DesktopView } from '../../shared/desktop-view.ts';
import type { AppOutcomes, AppPreviews } from '../../shared/app-view.ts';
import { callbackHosts, officialRegistry } from '../../shared/choices.ts';
import { readRegistryAddress, readWebOrigin } from '../../shared/web-address.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button, CopyLine } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { hostOfAddress } from '../components/facts.tsx';
import { Choice } from '../components/field.tsx';
import { postern, useCall } from '../postern.ts';
import { PreviewDialog, PreviewList } from '../apps/preview-dialog.tsx';
import { words } from '../words.ts';
import { AddressSettingForm, PortForm, Section, Setting } from './setting.tsx';

export function AdvancedSections({ desktop }: { readonly desktop: DesktopView }) {
  return (
    <>
      <CallbackSection desktop={desktop} />
      <GatewaySection desktop={desktop} />
      <RegistrySection desktop={desktop} />
      <NetworkSection desktop={desktop} />
    </>
  );
}

/** The callback URL, which services have registered. */
function CallbackSection({ desktop }: { readonly desktop: DesktopView }) {
  const { callbackHost, callbackPort } = desktop.settings;
  const call = useCall<null>();
  return (
    <Section section="callback">
      <Setting row="callbackUrl">
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
      <Setting row="callbackHost">
        <Choice
          aria-label={words.settings.callbackHost}
          value={callbackHost}
          options={callbackHosts.map((value) => ({ value, label: words.settings.callbackHosts[value] }))}
          onChoose={(host) => void call.run(() => postern.settings.update({ callbackHost: host }))}
        />
        <p className="field-hint">{words.settings.callbackHostHint}</p>
      </Setting>
      <Setting row="callbackPort">
        <CallbackPortForm key={callbackPort} port={callbackPort} />
      </Setting>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </Section>
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

/** How apps that use an address reach Postern. */
function GatewaySection({ desktop }: { readonly desktop: DesktopView }) {
  const { gatewayPort, allowedOrigin } = desktop.settings;
  return (
    <Section section="gateway">
      <Setting row="gatewayPort">
        {gatewayPort === undefined ? (
          <span className="soft">{words.settings.gatewayPortNone}</span>
        ) : (
          <GatewayPortForm port={gatewayPort} />
        )}
      </Setting>
      {gatewayPort !== undefined && (
        <Setting row="allowedOrigin">
          <AllowedOriginForm key={allowedOrigin} origin={allowedOrigin} />
        </Setting>
      )}
    </Section>
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

/** Whether the MCP registry may be searched, and which one. */
function RegistrySection({ desktop }: { readonly desktop: DesktopView }) {
  const { searchesRegistry, registry } = desktop.settings;
  const call = useCall<null>();
  const texts = words.registry;
  return (
    <Section section="registry">
      <Setting row="searchesRegistry" flush>
        <CheckBox
          checked={searchesRegistry}
          onChange={(isOn) => void call.run(() => postern.settings.update({ searchesRegistry: isOn }))}
          label={texts.choose}
          hint={texts.sends(hostOfAddress(registry, ''))}
        />
      </Setting>
      <Setting row="registry">
        <RegistryAddressForm registry={registry} />
      </Setting>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </Section>
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

function NetworkSection({ desktop }: { readonly desktop: DesktopView }) {
  return (
    <Section section="network">
      <Setting row="proxy" flush>
        {describeProxy(desktop)}
      </Setting>
      <CertificateSetting file={desktop.settings.certificateFile} />
    </Section>
  );
}

/** Certificate authorities that connections may use. */
function CertificateSetting({ file }: { readonly file: string | undefined }) {
  const call = useCall<unknown>();
  const texts = words.settings;
  return (
    <Setting row="certificateFile" flush>
      <p>{file === undefined ? texts.certificatesOfSystem : texts.certificatesOfFile(file)}</p>
      <div className="row">
        <Button busy={call.busy} onClick={() => void call.run(() => postern.settings.chooseCertificateFile())}>
          {texts.chooseCertificates}
        </Button>
        {file !== undefined && (
          <Button
            kind="quiet"
            disabled={call.busy}
            onClick={() => void call.run(() => postern.settings.update({ certificateFile: null }))}
          >
            {texts.forgetCertificates}
          </Button>
        )}
      </div>
      <p className="field-hint">{texts.certificatesHint}</p>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </Setting>
  );
}

function describeProxy({ proxy: { mode, host } }: DesktopView): string {
  switch (mode) {
    case 'direct':
      return words.settings.proxyDirect;
    case 'inUse':
      return words.settings.proxyInUse(host);
    case 'notUsed':
      return words.settings.proxyNotUsed(host);
  }
}
