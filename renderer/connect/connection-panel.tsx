import { useState } from 'react';
import type { ConnectionView, HostsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { hasTrait } from '../../shared/error-traits.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { CredentialsPanel } from '../credentials/credential-dialog.tsx';
import { TracePanel } from '../diagnosis/trace-panel.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import type { ErrorActions } from '../errors/error-notice.tsx';
import { hostToAllow, listActions } from '../errors/remedy-actions.ts';
import { Button, CopyLine } from '../components/button.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Working } from '../components/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { DeviceSheet, SignInSheet } from '../sign-in/sign-in-sheet.tsx';
import { isCheck } from '../store.ts';
import { beginRemoval, show } from '../view.ts';
import { words } from '../words.ts';
import { ConnectCard } from './connect-card.tsx';
import { DiscoverySteps, HostsConsent, VerdictPanel } from './verdict-panel.tsx';
import { SignInAlternatives } from './sign-in-alternatives.tsx';
import { listAlternatives } from './list-alternatives.ts';
import type { Alternative } from './list-alternatives.ts';

/** A connection in any state; used on the connect page and on an integration's page. */
export function ConnectionPanel({ connection }: { readonly connection: ConnectionView }) {
  const { state, verdict, steps, credentialsRequest, pending, device } = connection;
  const service = verdict?.authorizationServerHost ?? connection.host ?? connection.url;
  if (connection.hostsRequest) return <HostsConsentPanel id={connection.id} hosts={connection.hostsRequest} />;
  switch (state.name) {
    case 'urlEntered':
      // Cancelled, or its window was closed.
      if (state.cancelled) return <ConnectionError connection={connection} error={state.cancelled} />;
      return <LiveSteps connection={connection} />;
    case 'discovering':
      return <LiveSteps connection={connection} />;
    case 'discovered':
      return verdict ? (
        <VerdictPanel connection={connection} verdict={verdict} />
      ) : (
        <DiscoverySteps steps={steps} live />
      );
    case 'registering':
      return (
        <ConnectCard connection={connection}>
          <Working>{words.connect.working.registering(service)}</Working>
          <StopButton id={connection.id} />
        </ConnectCard>
      );
    case 'awaitingCredentials':
      return credentialsRequest ? (
        <CredentialsPanel connection={connection} request={credentialsRequest} error={state.error} />
      ) : (
        <Working>{words.connect.credentialsWait(service)}</Working>
      );
    case 'authorizationPending':
      if (device) return <DeviceSheet id={connection.id} device={device} expiresAt={state.expiresAt} />;
      return pending ? (
        <SignInSheet connection={connection} pending={pending} expiresAt={state.expiresAt} />
      ) : (
        <Working>{words.progress.authorizationPending}</Working>
      );
    case 'exchanging':
    case 'ticketIssued':
      return (
        <ConnectCard connection={connection}>
          <Working>{words.connect.working[state.name]}</Working>
          {state.name === 'exchanging' && <StopButton id={connection.id} />}
        </ConnectCard>
      );
    // From here on the server's own status is shown.
    case 'integrated':
    case 'reauthenticationRequired':
      return null;
    case 'failed':
      return <ConnectionError connection={connection} error={state.error} />;
  }
}

/** Requests as they happen. */
function LiveSteps({ connection }: { readonly connection: ConnectionView }) {
  return (
    <ConnectCard connection={connection}>
      <DiscoverySteps steps={connection.steps} live />
      <StopButton id={connection.id} />
    </ConnectCard>
  );
}

function StopButton({ id }: { readonly id: string }) {
  return (
    <div className="connect-card-more">
      <Button onClick={() => void postern.connection.stop({ id })}>{words.connect.stop}</Button>
    </div>
  );
}

/** An in-flight sign-in reached hosts that the user has not agreed to. It waits, and nothing was opened there. */
function HostsConsentPanel({ id, hosts }: { readonly id: string; readonly hosts: HostsView }) {
  const [agreed, setAgreed] = useState(false);
  const call = useCall<null>();
  return (
    <div className="stack" data-in-progress="">
      <HostsConsent hosts={hosts} agreed={agreed} onAgree={setAgreed} />
      {call.error && <ErrorNotice error={call.error} />}
      <div className="row">
        <Button
          kind="primary"
          busy={call.busy}
          disabled={!agreed}
          onClick={() => void call.run(() => postern.connection.start({ id, agreesTo: hosts.hosts }))}
        >
          {words.hosts.proceed}
        </Button>
        <Button kind="quiet" onClick={() => void postern.connection.stop({ id })}>
          {words.hosts.stop}
        </Button>
      </div>
    </div>
  );
}

/** Why it failed, the alternatives, and the evidence. */
function ConnectionError({ connection, error }: { connection: ConnectionView; error: PlainError }) {
  const [open, setOpen] = useState<Alternative>();
  const alternatives = listAlternatives(connection, error);
  const errorActions = listActions(error);
  const isQuiet = hasTrait(error, 'own-choice');
  return (
    <div className="stack">
      <ErrorNotice
        error={error}
        actions={{ ...actionsFor(connection, error), ...alternativeActions(connection, alternatives, setOpen) }}
        showStage={!isQuiet}
        tone={isQuiet ? 'ask' : 'stop'}
      />
      {connection.usedBrowser && hasTrait(error, 'page-left-open') && <p className="soft">{words.connect.pageLeft}</p>}
      <SignInAlternatives
        connection={connection}
        alternatives={alternatives}
        hidden={alternatives.filter(
          (alternative) => actionOf[alternative] !== undefined && errorActions.includes(actionOf[alternative]),
        )}
        open={open}
        onOpen={setOpen}
      />
      {connection.callbackUrl !== undefined && (
        <section className="stack-tight">
          <p className="soft">{words.connect.callbackRefused}</p>
          <CopyLine
            label={words.credentials.callbackLabel}
            value={connection.callbackUrl}
            onCopy={async () => (await postern.desktop.copy({ kind: 'callbackUrl', id: connection.id })).ok}
          />
        </section>
      )}
      {connection.steps.length > 0 && (
        <Disclosure label={words.connect.stepsLabel}>
          <DiscoverySteps steps={connection.steps} />
        </Disclosure>
      )}
      <Disclosure label={words.errors.actions.diagnosis}>
        <TracePanel id={connection.id} />
      </Disclosure>
    </div>
  );
}

/** The error button that already offers the alternative. */
const actionOf = {
  scopes: 'scopes',
  key: 'apiKey',
  addresses: 'addresses',
  ownOAuthApp: undefined,
  nonInteractive: undefined,
  provider: undefined,
} as const;

function alternativeActions(
  { kind }: ConnectionView,
  alternatives: readonly Alternative[],
  onOpen: (alternative: Alternative) => void,
): ErrorActions {
  const isAvailable = (alternative: Alternative): boolean => alternatives.includes(alternative);
  return {
    ...(isAvailable('scopes') && { scopes: () => onOpen('scopes') }),
    ...(isAvailable('key') && { apiKey: () => onOpen('key') }),
    ...(isAvailable('addresses') && kind === 'connect' && { addresses: () => onOpen('addresses') }),
  };
}

function actionsFor(connection: ConnectionView, error: PlainError): ErrorActions {
  const { id, options, integrationId } = connection;
  const host = hostToAllow(error.remedy);
  const isNew = connection.kind === 'connect';
  const change = (changed: Partial<IntegrationOptions>) => () => void retryWith(connection, changed);
  return {
    retry: () => void postern.connection.tryAgain({ id }),
    local: change({ local: true }),
    allowHttp: change({ local: true, allowHttp: true }),
    legacy: change({ legacyEndpoints: true }),
    pkceWhenListed: change({ pkce: 'when-listed' }),
    withoutResource: change({ sendResource: false }),
    port: () => show({ name: 'settings', target: 'callbackPort' }),
    storage: () => show({ name: 'settings', target: 'keychain' }),
    logs: () => void postern.desktop.openLogs(),
    signIn: () => void postern.connection.tryAgain({ id }),
    grant: () => void postern.connection.tryAgain({ id }),
    // What the user entered for a check stays in its form.
    ...(!isCheck(connection) && { dismiss: () => void postern.connection.cancel({ id }) }),
    ...(host !== undefined && { allowHost: change({ allowedHosts: [...options.allowedHosts, host] }) }),
    ...(isNew && { editAddress: () => document.querySelector<HTMLInputElement>('#address')?.select() }),
    ...(integrationId !== undefined && {
      settings: () => show({ name: 'integration', id: integrationId, tab: 'settings', openAdvanced: true }),
      remove: () => beginRemoval([integrationId]),
    }),
  };
}

/** Checks a new server again; for a connected one, saves the change and restarts the sign-in. */
async function retryWith(connection: ConnectionView, changed: Partial<IntegrationOptions>): Promise<void> {
  const { id, url, integrationId } = connection;
  const options = { ...connection.options, ...changed };
  if (connection.kind === 'connect' || integrationId === undefined) {
    await postern.connection.discover({ id, url, options });
    return;
  }
  const saved = await postern.integration.update({ id: integrationId, options: changed });
  if (saved.ok) await postern.connection.tryAgain({ id });
}
