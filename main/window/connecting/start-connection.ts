import { isAbout } from '../../../shared/error-facts.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { checkTypedAddress } from '../../address/check-address.ts';
import { classifyHost } from '../../address/host.ts';
import { parseInput } from '../../address/parse-address.ts';
import { connectServer } from '../../engine/connect/connect-server.ts';
import { inspectServer } from '../../engine/connect/inspect-server.ts';
import { integrationPolicy } from '../../engine/kept/integration-policy.ts';
import { errorOf } from '../../engine/sign-in/flow-state.ts';
import { reauthenticate } from '../../engine/sign-in/reauthenticate.ts';
import type { NewSignIn } from '../../engine/sign-in/reauthenticate.ts';
import type { OwnApp, TypedCredentials } from '../../engine/sign-in/sign-in-interaction.ts';
import { metadataEndpoints } from '../../oauth/wire/messages.ts';
import { isOutcome } from '../../errors/postern-error.ts';
import { withoutKeys } from '../../secret.ts';
import { bringsKey } from '../connections/connections.ts';
import type { Connection } from '../connections/connections.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readServer } from '../../operations/read-server.ts';
import { describeVerdict } from '../views/describe-connection.ts';
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
  const checking = runConnection(context, connection, again, async (ports, interaction, signal) => {
    flow.begin(interaction);
    flow.advance({ type: 'discover' });
    const { wanted } = connection;
    const isTyped = connection.purpose.kind === 'connect';
    const question = { ...wanted, isTyped, bringsKey: bringsKey(wanted) };
    const inspection = await inspectServer(ports, question, (step) => flow.report(step), signal);
    // With the keys that discovery leaves out.
    const url = inspection.keys ? connection.wanted.url : inspection.discovery.url;
    const name = connection.wanted.name || new URL(url).hostname.slice(0, 80);
    connection.wanted = { ...connection.wanted, url, name };
    flow.rest(inspection);
  });
  const { attempt } = connection;
  if (!atOnce) return;
  void checking.then(async () => {
    // Settings that cannot be read say nothing.
    const mayGoOn = await leavesNothingToDecide(context, connection).catch(() => false);
    // A press, or another address, came first.
    if (mayGoOn && connection.attempt === attempt && flow.state.name === 'discovered') startSignIn(context, connection);
  });
}

/**
 * Whether a verdict can be followed without a press: Postern comes by its client itself, everything is encrypted or
 * stays on this computer, nothing on the trust card is a warning or a choice, and the server is not in the list yet.
 */
async function leavesNothingToDecide({ ports }: DesktopContext, { wanted, flow }: Connection): Promise<boolean> {
  const inspection = flow.found.restedWith;
  if (flow.state.name !== 'discovered' || !inspection) return false;
  const { discovery } = inspection;
  const { connectAtOnce = false } = await ports.store.settings();
  if (!connectAtOnce || (await ports.store.list()).some(({ url }) => url === withoutKeys(wanted.url))) return false;
  const { grant, isIdentityProvider } = wanted.options;
  // A key or a client that came along, or a client that signs in for itself, is looked at first.
  if (wanted.header ?? wanted.typed ?? grant ?? isIdentityProvider) return false;
  const { kind, hosts, exception, differentOwner, alternatives, notes, pkce } = describeVerdict(
    inspection,
    wanted.options,
  );
  const signsIn = kind !== 'noSignIn';
  const addresses = [discovery.url, ...metadataEndpoints.flatMap((name) => discovery.metadata?.[name] ?? [])];
  // A path that answers so may be mistyped, and still finds the sign-in of the whole host.
  const isDoubtful = signsIn && (discovery.probeStatus === 404 || discovery.probeStatus === 405);
  return (
    (kind === 'noSignIn' || kind === 'registersItself' || kind === 'publishedClient') &&
    ![hosts, exception].some((one) => one !== undefined) &&
    !differentOwner &&
    alternatives.length === 0 &&
    !notes.includes('host-confusable') &&
    !isDoubtful &&
    (pkce || !signsIn) &&
    addresses.every((address) => isSheltered(new URL(address), wanted.options.local))
  );
}

/** On this computer, or encrypted and outside the user's network, which `local` would let it lead into. */
function isSheltered({ protocol, hostname }: URL, local: boolean): boolean {
  const place = classifyHost(hostname);
  return place === 'loopback' || (!local && protocol === 'https:' && (place === 'name' || place === 'public'));
}

/** The button of the verdict: from there to a working connection. */
export function startSignIn(context: DesktopContext, connection: Connection, credentials?: OwnApp): void {
  const again = (): void => startSignIn(context, connection, typedBefore(connection));
  void runConnection(context, connection, again, async (ports, interaction, signal, attempt) => {
    const { surface, flow, wanted } = connection;
    const { url, name, options } = wanted;
    const inspection = flow.found.restedWith;
    const request = { url, name: name || undefined, options, inspection, credentials, surface, flow };
    const connected = await connectServer(ports, request, interaction, signal);
    connection.wanted = { ...connection.wanted, typed: undefined };
    context.health.madeHere(connected.integration.id);
    context.board.keepSignIn(connected.integration.id, attempt);
    context.board.answered(connected.integration);
    const [warning] = connected.warnings;
    if (warning) {
      flow.advance({ type: 'warned', warning });
      context.board.observe(connected.integration, warning);
    }
    context.board.awake();
  });
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
  void runConnection(context, connection, again, async (ports, interaction, signal, attempt) => {
    const integration = await readServer(ports, integrationId);
    const { url, options } = integration;
    connection.wanted = { ...connection.wanted, url, options };
    const { surface, flow } = connection;
    const { id } = await reauthenticate(ports, integration, { ...demand, surface, flow }, interaction, signal).finally(
      () => context.board.keepSignIn(integration.id, attempt),
    );
    connection.wanted = { ...connection.wanted, typed: undefined };
    context.health.madeHere(id);
    context.board.forget(id);
    context.board.answered({ id, url });
    context.board.awake();
  });
}

/** The dialog for an app comes first, with what was typed before. */
export function startWithOwnApp(context: DesktopContext, connection: Connection): void {
  const { purpose } = connection;
  const typed = typedBefore(connection) ?? 'ask';
  if (purpose.kind === 'connect') startSignIn(context, connection, typed);
  else startNewSignIn(context, connection, purpose.integrationId, { typed });
}

/**
 * Refuses typed endpoints that the address rule would refuse later, while the form that they were typed in is still
 * there to say so. Errors: those of the address rule.
 */
export function checkEndpoints(url: string, options: IntegrationOptions): void {
  const { endpoints } = options;
  if (endpoints === undefined) return;
  const policy = integrationPolicy(parseInput(url).href, options);
  for (const typed of [endpoints.authorization, endpoints.token]) {
    checkTypedAddress(typed, policy);
  }
}
