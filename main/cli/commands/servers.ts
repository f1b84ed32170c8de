import { collectionNameIn, collectionReference, titleOf } from '../../../shared/entry-name.ts';
import { servedBy } from '../../../shared/integration.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { usesApiKey } from '../../engine/records/api-key.ts';
import { findIntegration } from '../../engine/records/find-integration.ts';
import { keysIn } from '../../engine/records/stored-secrets.ts';
import { summarizeServices } from '../../engine/removal/delete-everything.ts';
import type { DeletionReport } from '../../engine/removal/delete-everything.ts';
import { removeIntegration } from '../../engine/removal/remove-integration.ts';
import { signOut as signOutIntegration } from '../../engine/removal/sign-out.ts';
import { createWorkQueue } from '../../engine/work-queue.ts';
import { isExpectedError, PosternError } from '../../errors/postern-error.ts';
import { storedStatus } from '../../stored-status.ts';
import { collectionTitle, saveCollection } from '../../operations/collections.ts';
import { readServer } from '../../operations/operation.ts';
import {
  refreshServer,
  removeEverything,
  removeServers,
  signOutServers,
  updateServer,
} from '../../operations/servers.ts';
import type { UseScope } from '../../operations/use.ts';
import { terminalSurface } from '../interaction/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { historyOf, openIntegration } from '../opening/open-command-engine.ts';
import type { OpenedIntegration } from '../opening/open-command-engine.ts';
import { checkServerName, hasOption, UsageError } from '../options/parse-arguments.ts';
import { toCommandError } from '../output/describe-error.ts';
import type { CommandError } from '../output/describe-error.ts';
import {
  describeMoment,
  registrationDeletionSentences,
  revocationSentences,
  summarize,
} from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';
import { writeConnect, writeSignIn } from '../output/write-command.ts';
import type { AdviceContext } from '../output/write-command.ts';
import { resolveCollection, resolveTarget } from '../apps/resolve-references.ts';
import { printableLine } from '../text.ts';

/** `postern rename ID|+COLLECTION NAME`. Errors: NOT_FOUND, NAME_TAKEN, USAGE for an invisible name, CFG_*. */
export async function rename(context: CommandContext): Promise<CommandResult> {
  const { args } = context;
  const [reference = '', name = ''] = args.positionals;
  const profile = await context.openProfile();
  const target = await resolveTarget({ ...profile, ...profile.store }, reference, 'rename');
  if (collectionNameIn(target.id) !== undefined) {
    if (collectionTitle(name) === undefined)
      throw new UsageError('A name needs at least one visible character.', args.command);
    const { store } = profile;
    const earlier = await resolveCollection(store.collections, target.id, 'rename');
    const scope = { ...terminalSurface(context), ports: { store }, collections: store.collections };
    const renamed = await saveCollection(scope, { id: target.id, name });
    const title = titleOf(renamed);
    return {
      fields: { collection: { name: renamed.name, title }, earlierName: titleOf(earlier) },
      text: `${describeRenamed(titleOf(earlier), title)} Commands and entries still use ${collectionReference(renamed)}.`,
    };
  }
  const { id, name: earlierName } = await findIntegration(profile.store, target.id);
  await updateServer(
    { ...terminalSurface(context), ports: profile },
    { id, name: checkServerName(name, args.command) },
  );
  const renamed = await readServer(profile, id);
  return {
    fields: { integration: summarize(renamed), earlierName },
    text: describeRenamed(earlierName, renamed.name),
  };
}

function describeRenamed(before: string, after: string): string {
  return `“${printableLine(before)}” is now called “${printableLine(after)}”.`;
}

const concurrentChecks = 8;

type CheckAttempt = Attempt<{ readonly tools: number }>;

/** The outcome for one of several servers, with the integration afterwards. */
type Attempt<Found> =
  | (Found & { readonly integration: Integration; readonly failure?: undefined })
  | { readonly integration: Integration; readonly failure: PosternError };

/** Turns an ordinary failure into a result. Cancellation and defects are rethrown and stop everything. */
async function attempt<Found extends { readonly integration: Integration }>(
  { store }: Pick<EnginePorts, 'store'>,
  integration: Integration,
  work: () => Promise<Found>,
): Promise<Attempt<Found>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PosternError) || !isExpectedError(error)) throw error;
    return { integration: (await store.read(integration.id)) ?? integration, failure: error };
  }
}

/**
 * `postern check [ID…]`: asks each server (without ID, all) for its tools, which also refreshes due tokens. If one
 * fails, the others are still checked. Errors: the first failure in list order; NOT_FOUND before any request.
 */
export async function check(context: CommandContext): Promise<CommandResult> {
  const { args, steps, adviceContext } = context;
  const engine = await context.openEngine();
  const { ports } = engine;
  const history = historyOf(engine);
  const servers = await resolveServers(ports, args.positionals);
  const checked = new Map<string, CheckAttempt>();
  const defects: unknown[] = [];
  const queue = createWorkQueue(concurrentChecks);
  const showProgress = (): void => steps.begin(`Checked ${checked.size} of ${servers.length} servers`);
  showProgress();
  for (const server of servers)
    queue.add(server.id, async () => {
      try {
        checked.set(
          server.id,
          await checkServer({ ports, history, integration: server, access: { signal: context.signal } }),
        );
        showProgress();
      } catch (error) {
        defects.push(error);
      }
    });
  await queue.idle();
  if (defects.length > 0) throw defects[0];
  steps.clear();
  const attempts = servers.flatMap(({ id }) => checked.get(id) ?? []);
  const rows = attempts.map((each) => ({
    server: each.integration,
    ...(each.failure
      ? { error: toCommandError(each.failure, { ...adviceContext(), name: each.integration.name }) }
      : { tools: each.tools }),
  }));
  return {
    fields: { integrations: rows.map(({ server, ...each }) => ({ ...summarize(server), ...each })) },
    text: rows.length === 0 ? 'No servers yet.' : rows.map(describeChecked).join('\n'),
    failure: attempts.find(({ failure }) => failure)?.failure,
  };
}

async function resolveServers({ store, vault }: EnginePorts, references: readonly string[]): Promise<Integration[]> {
  if (references.length === 0) return [...(await store.list())];
  const keys = keysIn(vault);
  const named = new Map<string, Integration>();
  for (const reference of references) {
    const server = await findIntegration(store, reference, keys);
    named.set(server.id, server);
  }
  return [...named.values()];
}

async function checkServer(scope: UseScope): Promise<CheckAttempt> {
  const { ports, integration } = scope;
  return await attempt(ports, integration, async () => {
    const { listTools } = await import('../../operations/use.ts');
    const { value: tools } = await listTools(scope);
    // Read again: a refresh may have changed `expiresAt`.
    return { integration: await readServer(ports, integration.id), tools: tools.length };
  });
}

function describeChecked(
  row: { readonly server: Integration } & ({ tools: number } | { error: CommandError }),
): string {
  const name = `“${printableLine(row.server.name)}”`;
  if ('error' in row) return `${name} failed: ${row.error.message} ${row.error.nextStep}`;
  return `${name} works, with ${row.tools === 1 ? '1 tool' : `${row.tools} tools`}.`;
}

/** `postern refresh ID`: gets a new access token now. Errors: SIGN_IN_REQUIRED, REFRESH_*, NOT_FOUND. */
export async function refresh(context: CommandContext): Promise<CommandResult> {
  if (context.args.options.has('all')) return await refreshAll(context);
  const { ports, integration, access, history } = await openIntegration(context);
  const refreshed = await refreshOne(context, { ports, access, history }, integration.id);
  context.steps.clear();
  const { expiresAt, name } = refreshed;
  const end =
    expiresAt === undefined
      ? 'which expires at an unknown time'
      : `valid until ${describeMoment(expiresAt, Date.now())}`;
  return {
    fields: { integration: summarize(refreshed) },
    text: `“${printableLine(name)}” has a new access token, ${end}.`,
  };
}

type UsedServer = Pick<OpenedIntegration, 'ports' | 'access' | 'history'>;

async function refreshOne(context: CommandContext, scope: UsedServer, id: string): Promise<Integration> {
  await refreshServer({ ...terminalSurface(context), ...scope, trackUse: (_server, work) => work() }, { id });
  return await readServer(scope.ports, id);
}

/**
 * `postern refresh --all`: one by one, because servers may share an authorization server. Skips servers with nothing to
 * refresh (no sign-in, an API key, signed out, no refresh token). Errors: the first failure.
 */
async function refreshAll(context: CommandContext): Promise<CommandResult> {
  const { args, steps, adviceContext } = context;
  if (hasOption(args, 'sign-in')) throw new UsageError('Use either --all or --sign-in.', 'refresh');
  const engine = await context.openEngine();
  const { ports } = engine;
  const scope = { ports, access: { signal: context.signal }, history: historyOf(engine) };
  const renewed: Attempt<object>[] = [];
  for (const integration of (await ports.store.list()).filter(isRenewable)) {
    steps.begin(`Refreshing ${printableLine(integration.name)}`);
    const work = async () => ({ integration: await refreshOne(context, scope, integration.id) });
    renewed.push(await attempt(ports, integration, work));
  }
  steps.clear();
  const failure = renewed.find((attempted) => attempted.failure)?.failure;
  return {
    fields: {
      integrations: renewed.map(({ integration, failure: error }) => ({
        ...summarize(integration),
        ...(error && { error: toCommandError(error, adviceContext()) }),
      })),
    },
    text: renewed.length === 0 ? 'No server has a token to refresh.' : renewed.map(describeRefreshed).join('\n'),
    failure,
  };
}

function isRenewable(integration: Integration): boolean {
  const status = storedStatus(integration, Date.now());
  const isSignedIn = status === 'ready' || status === 'offline' || status === 'failing';
  return (
    isSignedIn && integration.method !== 'NoAuth' && !usesApiKey(integration) && integration.hasRefreshToken !== false
  );
}

function describeRefreshed({ integration: { name, expiresAt }, failure }: Attempt<object>): string {
  const label = `“${printableLine(name)}”`;
  if (failure) return `${label} could not be refreshed (${failure.code}).`;
  return expiresAt === undefined
    ? `${label} has a new access token.`
    : `${label} has a new access token, valid until ${describeMoment(expiresAt, Date.now())}.`;
}

/** `postern sign-out ID`: deletes the tokens and keeps the server in the list. Errors: NOT_FOUND, KC_*, CFG_*. */
export async function signOut(context: CommandContext): Promise<CommandResult> {
  const { ports, integration, access } = await openIntegration(context);
  const removal = {
    signOut: leaveEach(async (server) => {
      const { revocation } = await signOutIntegration(ports, server, access.signal);
      return { revocation };
    }),
  };
  const { id, name } = integration;
  const result = await signOutServers({ ...terminalSurface(context), ports, removal }, { ids: [id] });
  const [service] = result?.services ?? [];
  const revocation = service?.revocation ?? 'nothing-to-revoke';
  const now = (await ports.store.read(id)) ?? integration;
  const sentences = [
    service ? `Signed out of “${printableLine(name)}”.` : `You are not signed in to “${printableLine(name)}”.`,
    revocationSentences[revocation],
    now.state === 'signedOut' ? describeReconnect(now, context.adviceContext()) : '',
  ];
  return {
    fields: { integration: summarize(now), revocation },
    text: context.output.advise(sentences.filter((sentence) => sentence !== '').join(' ')),
  };
}

/** Runs `leave` for each server and collects the outcomes. */
function leaveEach<Left>(leave: (server: Integration) => Promise<Left>) {
  return async (servers: readonly Integration[]) => ({
    services: await Promise.all(servers.map(async (server) => ({ id: server.id, ...(await leave(server)) }))),
  });
}

/** How to connect again. An API key was deleted, so it must be given again. */
function describeReconnect(server: Integration, at: AdviceContext): string {
  return usesApiKey(server) ? `To give its key again: ${writeConnect(at)}.` : `To sign in again: ${writeSignIn(at)}.`;
}

/** `postern remove ID`: removes a server and all its data. Errors: NOT_FOUND, KC_*, CFG_*. */
export async function remove(context: CommandContext): Promise<CommandResult> {
  if (context.args.options.has('all')) return await removeAll(context);
  const { engine, ports, integration, access } = await openIntegration(context);
  const { removalScope } = await loadRemoval();
  const apps = await engine.openApps();
  const removal = {
    remove: leaveEach(async (server) => {
      const { revocation, registration } = await removeIntegration(ports, server, access.signal);
      return { revocation, registration };
    }),
  };
  const { collections } = engine;
  const entries = removalScope(context, { ports, collections, apps, openApps: async () => apps });
  const scope = { ...terminalSurface(context), ...entries, ports, removal };
  const removed = await removeServers(scope, { ids: [integration.id] });
  const { revocation = 'nothing-to-revoke', registration = 'nothing-to-delete' } = removed?.services?.[0] ?? {};
  const result = servedBy(integration, await ports.store.list());
  const sentences = [
    `Removed “${printableLine(integration.name)}”.`,
    revocationSentences[revocation],
    registrationDeletionSentences[registration],
    describeOrphaned(result),
    // Not for local servers, because the command may contain secrets.
    integration.command ? '' : `To connect it again: ${writeConnect(context.adviceContext())}.`,
  ];
  return {
    fields: {
      integration: summarize(integration),
      revocation,
      registration,
      ...(result.length > 0 && { withoutProvider: result.map(({ id }) => id) }),
    },
    text: context.output.advise(sentences.filter((sentence) => sentence !== '').join(' ')),
  };
}

/** Servers that signed in through a removed identity provider. */
function describeOrphaned(orphans: readonly Integration[]): string {
  if (orphans.length === 0) return '';
  const names = orphans.map(({ name }) => `“${printableLine(name)}”`).join(', ');
  return `It signed in to ${names}, which stop working when their tokens expire. Remove them or connect them again.`;
}

/**
 * `postern remove --all`: deletes all Postern data on this computer. Also reports what was deleted before a failure.
 * Errors: USAGE if nobody can be asked, USER_CANCELLED, KC_*, CFG_*.
 */
async function removeAll(context: CommandContext): Promise<CommandResult> {
  const { args, output, signal } = context;
  if (!args.options.has('yes') && !context.canAsk)
    throw new UsageError('This needs your confirmation. Without a terminal, add --yes to delete everything.', 'remove');
  const engine = await context.openEngine();
  const { ports, folder, collections } = engine;
  const { locks, vault } = ports;
  const { removalScope } = await loadRemoval();
  const { createAppReader } = await import('../../host/apps/open-apps.ts');
  // Opened without reading the settings, which may be damaged.
  const apps = createAppReader({ folder, locks, vault, records: engine.apps });
  const all = await removeEverything(
    {
      ...terminalSurface(context),
      ...removalScope(context, { ports, collections, apps, openApps: engine.openApps }),
      ports,
      access: { signal },
      runExclusively: async (work) => await work(await engine.storedData()),
      onDeletedLocally: () => {},
    },
    {},
  );
  if (!all) throw new PosternError('USER_CANCELLED', { stage: 'postern', detail: { work: 'deletion' } });
  const { failure, ...deleted } = all;
  const sentences = describeDeleted({ ...deleted, ...(failure && { failure }) });
  if (!failure) return { fields: { removed: deleted }, text: sentences.join('\n') };
  output.event('removed', { ...deleted });
  for (const sentence of sentences) output.notify(sentence);
  throw failure;
}

/** Counts of what was deleted here and revoked at the services. */
function describeDeleted(deleted: DeletionReport): string[] {
  const { integrations, signIns, keychainEntries, failure } = deleted;
  const { ended, endsByItself, registrationsLeft } = summarizeServices(deleted);
  const signInCount = `${signIns} ${signIns === 1 ? 'sign-in' : 'sign-ins'}`;
  return [
    failure ? `${signInCount} deleted from this computer.` : `${signInCount} deleted from the keychain.`,
    ...(signIns === 0 && keychainEntries > 0 ? ['The remaining keychain entry was deleted.'] : []),
    ...(integrations > 0 ? [`${integrations} ${integrations === 1 ? 'server' : 'servers'} removed.`] : []),
    ...(failure ? [] : ['Settings and logs were deleted.']),
    ...(ended > 0 ? [`Sign-ins revoked by the service: ${ended}.`] : []),
    ...(endsByItself > 0 ? [`Sign-ins that could not be revoked and expire on their own: ${endsByItself}.`] : []),
    ...(registrationsLeft > 0 ? [`Unused registrations left at services: ${registrationsLeft}.`] : []),
  ];
}

/** Loaded only for removals, which also remove app entries. */
const loadRemoval = async () => await import('../apps/confirm-changes.ts');
