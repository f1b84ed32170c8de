import { useState } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { ErrorCode, PlainError } from '../../shared/error-codes.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { TracePart } from '../diagnosis/trace-part.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import type { ErrorActions } from '../errors/error-notice.tsx';
import { hostToAllow, listActions } from '../errors/remedy-actions.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { postern } from '../postern.ts';
import { isCheck } from '../store.ts';
import { beginRemoval, show } from '../view.ts';
import { words } from '../words.ts';
import { DiscoverySteps } from './discovery-steps.tsx';
import { WaysPart } from './ways-part.tsx';
import { listWaysRound } from './ways-round.ts';
import type { WayRound } from './ways-round.ts';

/** Why it ended, the ways on, and the evidence. */
export function ConnectionError({ connection, error }: { connection: ConnectionView; error: PlainError }) {
  const [open, setOpen] = useState<WayRound>();
  const ways = listWaysRound(connection, error);
  const offered = listActions(error);
  const isQuiet = error.code === 'USER_CANCELLED' || error.code === 'USER_DENIED';
  return (
    <div className="stack">
      <ErrorNotice
        error={error}
        actions={{ ...actionsFor(connection, error), ...waysAsActions(connection, ways, setOpen) }}
        showStage={!isQuiet}
        tone={isQuiet ? 'ask' : 'stop'}
      />
      {connection.usedBrowser && unanswered.has(error.code) && <p className="soft">{words.connect.pageLeft}</p>}
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

/** Ends of a sign-in that its page knows nothing of: nobody listens any more where it leads back to. */
const unanswered: ReadonlySet<ErrorCode> = new Set([
  'USER_CANCELLED',
  'STATE_EXPIRED',
  'FLOW_SUPERSEDED',
  'LINK_REUSED',
]);

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
