import { useState } from 'react';
import type { ConnectionView, HostsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { hasTrait } from '../../shared/error-traits.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { TracePanel } from '../diagnosis/trace-panel.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import type { ErrorActions } from '../errors/error-notice.tsx';
import { hostToAllow, listActions } from '../errors/remedy-actions.ts';
import { Button, CopyLine } from '../components/button.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Working } from '../components/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { isCheck } from '../store.ts';
import { beginRemoval, show } from '../view.ts';
import { words } from '../words.ts';
import { ConnectCard, useEscape } from './connect-card.tsx';
import { DiscoverySteps, HostsConsent, isSettledVerdict, VerdictPanel } from './verdict-panel.tsx';
import { SignInAlternatives } from './sign-in-alternatives.tsx';
import { listAlternatives } from './list-alternatives.ts';
import type { Alternative } from './list-alternatives.ts';
import { OAuthAppStep } from './oauth-app-step.tsx';
import { BrowserStep, DeviceStep } from './waiting-step.tsx';

/** A connection in any state; used on the connect page and on an integration's page. */
export function ConnectionPanel({ connection }: { readonly connection: ConnectionView }) {
  const { state, verdict, hostsRequest, device } = connection;
  // From here on the server's own status is shown.
  if (state.name === 'integrated' || state.name === 'reauthenticationRequired') return null;
  const isUnsettled = state.name === 'discovered' && verdict !== undefined && !isSettledVerdict(verdict);
  return (
    <ConnectCard
      connection={connection}
      step={hostsRequest ? 'hosts' : device ? 'device' : state.name}
      isWide={isUnsettled || errorOf(connection) !== undefined}
    >
      <CardBody connection={connection} />
    </ConnectCard>
  );
}

/** Why it failed, was cancelled, or its window was closed. */
function errorOf({ state, hostsRequest }: ConnectionView): PlainError | undefined {
  if (hostsRequest) return undefined;
  return state.name === 'failed' ? state.error : state.name === 'urlEntered' ? state.cancelled : undefined;
}

/** What the card shows now. */
function CardBody({ connection }: { readonly connection: ConnectionView }) {
  const { id, state, verdict, steps, credentialsRequest, pending, device, hostsRequest } = connection;
  const service = verdict?.authorizationServerHost ?? connection.host ?? connection.url;
  const error = errorOf(connection);
  if (error) return <ConnectionError connection={connection} error={error} />;
  if (hostsRequest) return <HostsStep id={id} hosts={hostsRequest} />;
  switch (state.name) {
    case 'discovered':
      if (verdict) return <VerdictPanel connection={connection} verdict={verdict} />;
      return <DiscoverySteps steps={steps} live />;
    case 'registering':
      return <WorkingStep id={id}>{words.connect.working.registering(service)}</WorkingStep>;
    case 'awaitingCredentials':
      return credentialsRequest ? (
        <OAuthAppStep connection={connection} request={credentialsRequest} why={state.error} />
      ) : (
        <Working>{words.connect.credentialsWait(service)}</Working>
      );
    case 'authorizationPending':
      if (device) return <DeviceStep id={id} device={device} expiresAt={state.expiresAt} />;
      return pending ? (
        <BrowserStep connection={connection} pending={pending} expiresAt={state.expiresAt} />
      ) : (
        <WorkingStep id={id}>{words.progress.authorizationPending}</WorkingStep>
      );
    case 'exchanging':
      return <WorkingStep id={id}>{words.connect.working.exchanging}</WorkingStep>;
    case 'ticketIssued':
      return <Working>{words.connect.working.ticketIssued}</Working>;
    default:
      return (
        <>
          <DiscoverySteps steps={steps} live />
          <StopButton id={id} />
        </>
      );
  }
}

function WorkingStep({ id, children }: { readonly id: string; readonly children: string }) {
  return (
    <>
      <Working>{children}</Working>
      <StopButton id={id} />
    </>
  );
}

function StopButton({ id }: { readonly id: string }) {
  const stop = (): void => void postern.connection.stop({ id });
  useEscape(stop);
  return (
    <div className="connect-card-more">
      <Button onClick={stop}>{words.connect.stop}</Button>
    </div>
  );
}

/** An in-flight sign-in reached hosts that the user has not agreed to. It waits, and nothing was opened there. */
function HostsStep({ id, hosts }: { readonly id: string; readonly hosts: HostsView }) {
  const [agreed, setAgreed] = useState(false);
  const call = useCall<null>();
  const stop = (): void => void postern.connection.stop({ id });
  useEscape(stop);
  return (
    <>
      <HostsConsent hosts={hosts} agreed={agreed} onAgree={setAgreed} />
      {call.error && <ErrorNotice error={call.error} />}
      <Button
        kind="primary"
        className="card-button"
        busy={call.busy}
        disabled={!agreed}
        onClick={() => void call.run(() => postern.connection.start({ id, agreesTo: hosts.hosts }))}
      >
        {words.hosts.proceed}
      </Button>
      <div className="connect-card-more">
        <Button kind="quiet" onClick={stop}>
          {words.hosts.stop}
        </Button>
      </div>
    </>
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
