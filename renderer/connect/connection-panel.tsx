import { useState } from 'react';
import type { ConnectionView, HostsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { isAbout } from '../../shared/error-facts.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { CredentialsPart } from '../credentials/credential-dialog.tsx';
import { TracePart } from '../diagnosis/trace-part.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import type { ErrorActions } from '../errors/error-notice.tsx';
import { hostToAllow, listActions } from '../errors/remedy-actions.ts';
import { Button, CopyLine } from '../parts/button.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { Working } from '../parts/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { DeviceSheet, SignInSheet } from '../sign-in/sign-in-sheet.tsx';
import { isCheck } from '../store.ts';
import { beginRemoval, show } from '../view.ts';
import { words } from '../words.ts';
import { DiscoverySteps, HostsChoice, VerdictPart } from './verdict-part.tsx';
import { WaysPart } from './ways-part.tsx';
import { listWaysRound } from './ways-round.ts';
import type { WayRound } from './ways-round.ts';

/** One connection in whatever state it is; the same on the connect page and on the page of an integration. */
export function ConnectionPanel({ connection }: { readonly connection: ConnectionView }) {
  const { state, verdict, steps, credentialsRequest, pending, device } = connection;
  const service = verdict?.authorizationServerHost ?? connection.host ?? connection.url;
  if (connection.hostsRequest) return <HostsQuestion id={connection.id} hosts={connection.hostsRequest} />;
  switch (state.name) {
    case 'urlEntered':
      // Cancelled, or its window was closed.
      if (state.cancelled) return <ConnectionError connection={connection} error={state.cancelled} />;
      return <LiveSteps connection={connection} />;
    case 'discovering':
      return <LiveSteps connection={connection} />;
    case 'discovered':
      return verdict ? (
        <VerdictPart connection={connection} verdict={verdict} />
      ) : (
        <DiscoverySteps steps={steps} live />
      );
    case 'registering':
      return (
        <>
          <Working>{words.connect.working.registering(service)}</Working>
          <Stop id={connection.id} />
        </>
      );
    case 'awaitingCredentials':
      return credentialsRequest ? (
        <CredentialsPart connection={connection} request={credentialsRequest} error={state.error} />
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
        <>
          <Working>{words.connect.working[state.name]}</Working>
          {state.name === 'exchanging' && <Stop id={connection.id} />}
        </>
      );
    // What the server is like from here on, its status says.
    case 'integrated':
    case 'reauthenticationRequired':
      return null;
    case 'failed':
      return <ConnectionError connection={connection} error={state.error} />;
  }
}

/** What is asked, as it goes. */
function LiveSteps({ connection: { id, steps } }: { readonly connection: ConnectionView }) {
  return (
    <>
      <DiscoverySteps steps={steps} live />
      <Stop id={id} />
    </>
  );
}

/** A service may take its time. */
function Stop({ id }: { readonly id: string }) {
  return (
    <div>
      <Button onClick={() => void postern.connection.stop({ id })}>{words.connect.stop}</Button>
    </div>
  );
}

/** A sign-in under way has come to hosts that nobody has agreed to: it waits, and nothing was opened there. */
function HostsQuestion({ id, hosts }: { readonly id: string; readonly hosts: HostsView }) {
  const [agreed, setAgreed] = useState(false);
  const call = useCall<null>();
  return (
    <div className="stack" data-at-work="">
      <HostsChoice hosts={hosts} agreed={agreed} onAgree={setAgreed} />
      {call.error && <ErrorNotice error={call.error} />}
      <div className="row">
        <Button
          kind="primary"
          busy={call.busy}
          disabled={!agreed}
          onClick={() => void call.run(() => postern.connection.start({ id, agreesTo: hosts.hosts }))}
        >
          {words.hosts.goOn}
        </Button>
        <Button kind="quiet" onClick={() => void postern.connection.stop({ id })}>
          {words.hosts.stop}
        </Button>
      </div>
    </div>
  );
}

/** Why it ended, the ways on, and the evidence. */
function ConnectionError({ connection, error }: { connection: ConnectionView; error: PlainError }) {
  const [open, setOpen] = useState<WayRound>();
  const ways = listWaysRound(connection, error);
  const offered = listActions(error);
  const isQuiet = isAbout(error, 'own-choice');
  return (
    <div className="stack">
      <ErrorNotice
        error={error}
        actions={{ ...actionsFor(connection, error), ...waysAsActions(connection, ways, setOpen) }}
        showStage={!isQuiet}
        tone={isQuiet ? 'ask' : 'stop'}
      />
      {connection.usedBrowser && isAbout(error, 'page-left-open') && <p className="soft">{words.connect.pageLeft}</p>}
      <WaysPart
        connection={connection}
        ways={ways}
        hidden={ways.filter((way) => actionOf[way] !== undefined && offered.includes(actionOf[way]))}
        open={open}
        onOpen={setOpen}
      />
      {connection.callbackUrl !== undefined && (
        <section className="stack-tight">
          <p className="soft">{words.connect.callbackRefused}</p>
          <CopyLine
            label={words.credentials.callbackLabel}
            value={connection.callbackUrl}
            onCopy={async () => (await postern.app.copy({ kind: 'callbackUrl', id: connection.id })).ok}
          />
        </section>
      )}
      {connection.steps.length > 0 && (
        <Disclosure label={words.connect.stepsLabel}>
          <DiscoverySteps steps={connection.steps} />
        </Disclosure>
      )}
      <Disclosure label={words.errors.actions.diagnosis}>
        <TracePart id={connection.id} />
      </Disclosure>
    </div>
  );
}

/** The button under the error that is such a way. */
const actionOf = {
  scopes: 'scopes',
  key: 'apiKey',
  addresses: 'addresses',
  ownApp: undefined,
  withoutPerson: undefined,
  provider: undefined,
} as const;

function waysAsActions(
  { kind }: ConnectionView,
  ways: readonly WayRound[],
  onOpen: (way: WayRound) => void,
): ErrorActions {
  const can = (way: WayRound): boolean => ways.includes(way);
  return {
    ...(can('scopes') && { scopes: () => onOpen('scopes') }),
    ...(can('key') && { apiKey: () => onOpen('key') }),
    ...(can('addresses') && kind === 'connect' && { addresses: () => onOpen('addresses') }),
  };
}

function actionsFor(connection: ConnectionView, error: PlainError): ErrorActions {
  const { id, options, integrationId } = connection;
  const host = hostToAllow(error.remedy);
  const isNew = connection.kind === 'connect';
  const change = (changed: Partial<IntegrationOptions>) => () => void tryWith(connection, changed);
  return {
    retry: () => void postern.connection.tryAgain({ id }),
    local: change({ local: true }),
    allowHttp: change({ local: true, allowHttp: true }),
    legacy: change({ legacyEndpoints: true }),
    pkceWhenListed: change({ pkce: 'when-listed' }),
    withoutResource: change({ sendResource: false }),
    port: () => show({ name: 'settings', section: 'callback' }),
    storage: () => show({ name: 'settings', section: 'storage' }),
    logs: () => void postern.app.openLogs(),
    signIn: () => void postern.connection.tryAgain({ id }),
    grant: () => void postern.connection.tryAgain({ id }),
    // What a check was asked for stays in its form.
    ...(!isCheck(connection) && { dismiss: () => void postern.connection.cancel({ id }) }),
    ...(host !== undefined && { allowHost: change({ allowedHosts: [...options.allowedHosts, host] }) }),
    ...(isNew && { editAddress: () => document.querySelector<HTMLInputElement>('#address')?.select() }),
    ...(integrationId !== undefined && {
      settings: () => show({ name: 'integration', id: integrationId, tab: 'settings', openAdvanced: true }),
      remove: () => beginRemoval([integrationId]),
    }),
  };
}

/** A new server is looked at again; for one in the list the change is kept, and the sign-in starts over. */
async function tryWith(connection: ConnectionView, changed: Partial<IntegrationOptions>): Promise<void> {
  const { id, url, integrationId } = connection;
  const options = { ...connection.options, ...changed };
  if (connection.kind === 'connect' || integrationId === undefined) {
    await postern.connection.discover({ id, url, options });
    return;
  }
  const kept = await postern.integration.update({ id: integrationId, options: changed });
  if (kept.ok) await postern.connection.tryAgain({ id });
}
