import { isAbout } from '../../../shared/error-facts.ts';
import { isKeyHeaderName, keyHeaderValue } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { errorOf } from '../../engine/sign-in/flow-state.ts';
import type { NewSignIn } from '../../engine/sign-in/reauthenticate.ts';
import type { OwnApp, TypedCredentials } from '../../engine/sign-in/sign-in-interaction.ts';
import { isOutcome, PosternError } from '../../errors/postern-error.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { Inspection } from '../../engine/sign-in/flow.ts';
import { connect, discover, findListed, leavesNothingToDecide, signInAgain } from '../../operations/connect.ts';
import type { FollowedScope, Imported } from '../../operations/import.ts';
import { readServer } from '../../operations/operation.ts';
import { Secret } from '../../secret.ts';
import { bringsKey, keyFor } from '../connections/connections.ts';
import type { Attempt, Connection } from '../connections/connections.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { runConnection } from './run-connection.ts';

/**
 * Finds out how the server wants to be signed in to, step by step, and rests with the verdict. Opens nothing, unless
 * `atOnce` is asked for, the user has set it so, and the verdict leaves nothing to decide.
 */
export function startDiscovery(context: DesktopContext, connection: Connection, atOnce?: true): void {
  const { flow } = connection;
  bindTyped(connection);
  flow.clear();
  const again = (): void => startDiscovery(context, connection, atOnce);
  const checking = runConnection(context, connection, again, async (scope) => {
    const { url: typed, options } = connection.wanted;
    if (await findListed(scope, { url: typed, listedKeys: listedKeys(connection), flow })) return;
    const isTyped = connection.purpose.kind === 'connect';
    const question = { url: typed, options, isTyped, bringsKey: bringsKey(connection.wanted) };
    adopt(connection, await discover(scope, { ...question, flow }));
  });
  const { attempt } = connection;
  if (!atOnce) return;
  void checking.then(async () => {
    const inspection = flow.found.restedWith;
    if (flow.state.name !== 'discovered' || !inspection) return;
    const { url, options, header, typed } = connection.wanted;
    const choices = { url, options, brought: header ?? typed };
    // Settings that cannot be read say nothing.
    const mayGoOn = await leavesNothingToDecide(context.ports, inspection, choices).catch(() => false);
    // A press, or another address, came first.
    if (mayGoOn && connection.attempt === attempt && flow.state.name === 'discovered') startSignIn(context, connection);
  });
}

/**
 * Connects an entry of a list, as a part of an import of many: the connection shows it, and goes on as any other where it
 * rests or has failed. It is gone once the import is cancelled. Errors: those of `work`; USER_CANCELLED where it is
 * stopped alone.
 */
export async function followEntry(
  context: DesktopContext,
  connection: Connection,
  { ports, signal }: Pick<FollowedScope, 'ports'> & { readonly signal: AbortSignal },
  work: (scope: FollowedScope) => Promise<Imported | undefined>,
): Promise<Imported | undefined> {
  const { flow } = connection;
  const again = (): void => {
    if (flow.found.restedWith) goOn(context, connection);
    else startDiscovery(context, connection);
  };
  const cancel = (): void => {
    connection.attempt?.end();
    context.connections.remove(connection.id);
  };
  let result: Promise<Imported | undefined> | undefined;
  signal.addEventListener('abort', cancel, { once: true });
  // Another try asks for each document anew, and ends with the connection alone.
  await runConnection({ ...context, ports }, connection, again, async (scope, attempt) => {
    flow.begin(scope.user.signIn);
    flow.advance({ type: 'discover' });
    result = work({ ...scope, flow });
    const imported = await result.finally(() => {
      if (flow.found.restedWith) adopt(connection, flow.found.restedWith);
    });
    if (imported?.outcome !== 'imported') return;
    connection.wanted = { ...connection.wanted, header: undefined };
    showConnected(context, imported.integration, attempt);
  });
  signal.removeEventListener('abort', cancel);
  if (!result) throw new PosternError('USER_CANCELLED', { stage: 'connection' });
  return await result;
}

/** What was found is about this address, with the keys that discovery leaves out. */
function adopt(connection: Connection, { keys, discovery }: Inspection): void {
  const { wanted } = connection;
  const url = keys ? wanted.url : discovery.url;
  connection.wanted = { ...wanted, url, name: wanted.name || new URL(url).hostname.slice(0, 80) };
}

/** From a verdict on: with the key that came along, else by a sign-in. */
export function goOn(context: DesktopContext, connection: Connection): void {
  if (bringsKey(connection.wanted)) startWithKey(context, connection, undefined);
  // A key that was typed and refused is not used in place of the sign-in that is asked for now.
  else startSignIn(context, connection, typedBefore(connection));
}

/** Of the entry of a list that the address came from: its headers, if it has any. */
function listedKeys({ purpose, wanted: { importEntry, header, url } }: Connection): readonly FixedHeader[] | undefined {
  if (importEntry === undefined || purpose.kind !== 'connect') return undefined;
  const key = keyFor(header, url);
  return key ? [key, ...(key.further ?? [])] : [];
}

/** The button of the verdict: from there to a working connection. */
export function startSignIn(context: DesktopContext, connection: Connection, credentials?: OwnApp): void {
  const again = (): void => startSignIn(context, connection, typedBefore(connection));
  void runConnection(context, connection, again, async (scope, attempt) => {
    const { surface, flow, wanted } = connection;
    const { url, name, options } = wanted;
    const request = { url, name: name || undefined, options, inspection: flow.found.restedWith, credentials };
    const made = { ...request, surface, flow, listedKeys: listedKeys(connection) };
    const { integration, warnings, isListed } = await connect(scope, made);
    if (isListed) return;
    connection.wanted = { ...connection.wanted, typed: undefined };
    showConnected(context, integration, attempt);
    const [warning] = warnings;
    if (!warning) return;
    flow.advance({ type: 'warned', warning });
    context.board.observe(integration, warning);
  });
}

/**
 * Connects with a fixed header, typed now or imported. Errors: API_KEY_INVALID; API_KEY_MISSING where the one that is
 * there belongs to another server.
 */
export function startWithKey(
  context: DesktopContext,
  connection: Connection,
  typed: { readonly name: string; readonly value: string } | undefined,
): void {
  if (typed) {
    const value = keyHeaderValue(typed.value);
    if (!isKeyHeaderName(typed.name) || value === undefined) {
      throw new PosternError('API_KEY_INVALID', { stage: 'credentials' });
    }
    const header = { name: typed.name, value: new Secret(value), url: connection.wanted.url };
    connection.wanted = { ...connection.wanted, header };
  }
  const { url } = connection.wanted;
  const key = keyFor(connection.wanted.header, url);
  if (!key) throw new PosternError('API_KEY_MISSING', { stage: 'credentials' });
  const again = (): void => startWithKey(context, connection, undefined);
  void runConnection(context, connection, again, async (scope, attempt) => {
    const { surface, flow, wanted } = connection;
    const options = { ...wanted.options, headerName: key.name };
    const request = { url, name: wanted.name || undefined, options, key, surface, flow };
    const { integration, isListed } = await connect(scope, { ...request, listedKeys: listedKeys(connection) });
    if (isListed) return;
    connection.wanted = { ...connection.wanted, header: undefined };
    showConnected(context, integration, attempt);
  });
}

/** A server that was signed in to, or that has taken a key: what was wrong with it before is over. */
function showConnected(
  { health, board }: DesktopContext,
  integration: Pick<Integration, 'id' | 'url'>,
  attempt: Attempt,
): void {
  health.madeHere(integration.id);
  board.keepSignIn(integration.id, attempt);
  board.forget(integration.id);
  board.answered(integration);
  board.awake();
}

/**
 * What was typed for whichever service the choices led to is from here on for that one, whatever the server names by
 * now: the flow forgets which it was when it begins anew.
 */
function bindTyped(connection: Connection): TypedCredentials | undefined {
  const { flow, wanted } = connection;
  if (!wanted.typed) return undefined;
  const { issuerKey = flow.found.firstIssuerKey, ...client } = wanted.typed.client;
  const bound = issuerKey === undefined ? client : { ...client, issuerKey };
  connection.wanted = { ...wanted, typed: { ...wanted.typed, client: bound } };
  return bound;
}

/** What was typed for an attempt that has ended, for the person to look at before the next one. */
export function typedBefore(connection: Connection): TypedCredentials | undefined {
  const typed = bindTyped(connection);
  if (!typed) return undefined;
  const error = errorOf(connection.flow.state);
  // Nobody needs to be told what they did themselves, or that a network failed which has just worked.
  const isNews = isOutcome(error) && !isAbout(error, 'unanswered');
  return { ...typed, toCheck: isNews ? { error } : {} };
}

/** Signs an integration in again, for the reason that `demand` gives. */
export function startNewSignIn(
  context: DesktopContext,
  connection: Connection,
  integrationId: string,
  demand: Omit<NewSignIn, 'surface' | 'flow'>,
): void {
  const again = (): void =>
    startNewSignIn(context, connection, integrationId, { ...demand, typed: typedBefore(connection) });
  void runConnection(context, connection, again, async (scope, attempt) => {
    const integration = await readServer(scope.ports, integrationId);
    const { id, url, options } = integration;
    connection.wanted = { ...connection.wanted, url, options };
    const { surface, flow } = connection;
    await signInAgain(scope, integration, { ...demand, surface, flow }).finally(() =>
      context.board.keepSignIn(id, attempt),
    );
    connection.wanted = { ...connection.wanted, typed: undefined };
    showConnected(context, { id, url }, attempt);
  });
}

/** The dialog for an app comes first, with what was typed before. */
export function startWithOwnApp(context: DesktopContext, connection: Connection): void {
  const { purpose } = connection;
  const typed = typedBefore(connection) ?? 'ask';
  if (purpose.kind === 'connect') startSignIn(context, connection, typed);
  else startNewSignIn(context, connection, purpose.integrationId, { typed });
}
