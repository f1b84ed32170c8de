import { collectionNamed, collectionReference, titleOf } from '../../../shared/entry-name.ts';
import { servedBy } from '../../../shared/integration.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { usesApiKey } from '../../engine/kept/api-key.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { keysIn } from '../../engine/kept/stored-secrets.ts';
import { summariseServices } from '../../engine/leave/delete-everything.ts';
import type { Deleted } from '../../engine/leave/delete-everything.ts';
import { removeIntegration } from '../../engine/leave/remove-integration.ts';
import { signOut as signOutIntegration } from '../../engine/leave/sign-out.ts';
import { createWorkQueue } from '../../engine/work-queue.ts';
import { isOutcome, PosternError } from '../../errors/postern-error.ts';
import { keptStatus } from '../../kept-status.ts';
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
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { historyOf, openCommandEngine, useIntegration } from '../opening/open-command-engine.ts';
import type { UsedIntegration } from '../opening/open-command-engine.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { checkServerName, hasOption, UsageError } from '../options/parse-arguments.ts';
import { toCommandError } from '../output/describe-error.ts';
import type { CommandError } from '../output/describe-error.ts';
import {
  describeMoment,
  registrationDeletionSentences,
  revocationSentences,
  summarise,
} from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { writeConnect, writeSignIn } from '../output/write-command.ts';
import type { Situation } from '../output/write-command.ts';
import { namedCollection, namedUsed } from '../programs/named-program.ts';
import { printableLine } from '../text.ts';

/** `postern rename ID|+COLLECTION NAME`. Errors: NOT_FOUND, NAME_TAKEN, USAGE for a name without anything to show, CFG_*. */
export async function rename(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [reference = '', name = ''] = args.positionals;
  const profile = await openCommandProfile(context);
  const used = await namedUsed({ ...profile, ...profile.store }, reference, 'rename');
  if (collectionNamed(used.id) !== undefined) {
    if (collectionTitle(name) === undefined)
      throw new UsageError('A name needs something that can be shown.', args.command);
    const { store } = profile;
    const earlier = await namedCollection(store.collections, used.id, 'rename');
    const scope = { ...terminalSurface(context), ports: { store }, collections: store.collections };
    const renamed = await saveCollection(scope, { id: used.id, name });
    const title = titleOf(renamed);
    return {
      fields: { collection: { name: renamed.name, title }, earlierName: titleOf(earlier) },
      text: `${sayRenamed(titleOf(earlier), title)} In commands and entries it stays ${collectionReference(renamed)}.`,
    };
  }
  const { id, name: earlierName } = await findIntegration(profile.store, used.id);
  await updateServer(
    { ...terminalSurface(context), ports: profile },
    { id, name: checkServerName(name, args.command) },
  );
  const renamed = await readServer(profile, id);
  return {
    fields: { integration: summarise(renamed), earlierName },
    text: sayRenamed(earlierName, renamed.name),
  };
}

function sayRenamed(before: string, after: string): string {
  return `“${printableLine(before)}” is now called “${printableLine(after)}”.`;
}

const checksAtOnce = 8;

type Checked = Tried<{ readonly tools: number }>;

/** One of several servers, as it is afterwards. */
type Tried<Found> =
  | (Found & { readonly integration: Integration; readonly failure?: undefined })
  | { readonly integration: Integration; readonly failure: PosternError };

/** One that fails stops no other; what was called off, and what is a defect, ends the whole. */
async function tryOne<Found extends { readonly integration: Integration }>(
  { store }: Pick<EnginePorts, 'store'>,
  integration: Integration,
  work: () => Promise<Found>,
): Promise<Tried<Found>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PosternError) || !isOutcome(error)) throw error;
    return { integration: (await store.read(integration.id)) ?? integration, failure: error };
  }
}

/**
 * `postern check [ID…]`: asks each server for its tools, which also renews what is due; without ID all of them. One that
 * fails stops no other. Errors: that of the first that failed, in the order of the list; NOT_FOUND before any is asked.
 */
export async function check(context: CommandContext): Promise<Answer> {
  const { args, steps, situation } = context;
  const engine = await openCommandEngine(context);
  const { ports } = engine;
  const history = historyOf(engine);
  const servers = await namedServers(ports, args.positionals);
  const checked = new Map<string, Checked>();
  const defects: unknown[] = [];
  const queue = createWorkQueue(checksAtOnce);
  const tellProgress = (): void => steps.begin(`Checking: ${checked.size} of ${servers.length} have answered`);
  tellProgress();
  for (const server of servers)
    queue.add(server.id, async () => {
      try {
        checked.set(
          server.id,
          await checkServer({ ports, history, integration: server, access: { signal: context.signal } }),
        );
        tellProgress();
      } catch (error) {
        defects.push(error);
      }
    });
  await queue.idle();
  if (defects.length > 0) throw defects[0];
  steps.clear();
  const found = servers.flatMap(({ id }) => checked.get(id) ?? []);
  const told = found.map((each) => ({
    server: each.integration,
    ...(each.failure
      ? { error: toCommandError(each.failure, { ...situation(), name: each.integration.name }) }
      : { tools: each.tools }),
  }));
  return {
    fields: { integrations: told.map(({ server, ...each }) => ({ ...summarise(server), ...each })) },
    text: told.length === 0 ? 'No server is connected yet.' : told.map(describeChecked).join('\n'),
    failure: found.find(({ failure }) => failure)?.failure,
  };
}

async function namedServers({ store, vault }: EnginePorts, references: readonly string[]): Promise<Integration[]> {
  if (references.length === 0) return [...(await store.list())];
  const keys = keysIn(vault);
  const named = new Map<string, Integration>();
  for (const reference of references) {
    const server = await findIntegration(store, reference, keys);
    named.set(server.id, server);
  }
  return [...named.values()];
}

async function checkServer(scope: UseScope): Promise<Checked> {
  const { ports, integration } = scope;
  return await tryOne(ports, integration, async () => {
    const { listTools } = await import('../../operations/use.ts');
    const { found } = await listTools(scope);
    // A sign-in that was due has another end now.
    return { integration: await readServer(ports, integration.id), tools: found.length };
  });
}

function describeChecked(
  told: { readonly server: Integration } & ({ tools: number } | { error: CommandError }),
): string {
  const name = `“${printableLine(told.server.name)}”`;
  if ('error' in told) return `${name} does not work: ${told.error.message} ${told.error.nextStep}`;
  return `${name} answers, with ${told.tools === 1 ? '1 tool' : `${told.tools} tools`}.`;
}

/** `postern refresh ID`: asks for a new access token now. Errors: SIGN_IN_REQUIRED, REFRESH_*, NOT_FOUND. */
export async function refresh(context: CommandContext): Promise<Answer> {
  if (context.args.options.has('all')) return await refreshAll(context);
  const { ports, integration, access, history } = await useIntegration(context);
  const refreshed = await renew(context, { ports, access, history }, integration.id);
  context.steps.clear();
  const { expiresAt, name } = refreshed;
  const end = expiresAt === undefined ? 'for an unknown time' : `until ${describeMoment(expiresAt, Date.now())}`;
  return {
    fields: { integration: summarise(refreshed) },
    text: `“${printableLine(name)}” has new access, ${end}.`,
  };
}

type UsedServer = Pick<UsedIntegration, 'ports' | 'access' | 'history'>;

async function renew(context: CommandContext, scope: UsedServer, id: string): Promise<Integration> {
  await refreshServer({ ...terminalSurface(context), ...scope, during: (_server, work) => work() }, { id });
  return await readServer(scope.ports, id);
}

/**
 * `postern refresh --all`: one after the other, since each may wait for the same sign-in service. What has nothing to
 * renew (no sign-in, an API key, signed out, no refresh token) is left out. Errors: that of the first that failed.
 */
export async function refreshAll(context: CommandContext): Promise<Answer> {
  const { args, steps, situation } = context;
  if (hasOption(args, 'sign-in')) throw new UsageError('--all and --sign-in do not go together.', 'refresh');
  const engine = await openCommandEngine(context);
  const { ports } = engine;
  const scope = { ports, access: { signal: context.signal }, history: historyOf(engine) };
  const renewed: Tried<object>[] = [];
  for (const integration of (await ports.store.list()).filter(isRenewable)) {
    steps.begin(`Renewing ${printableLine(integration.name)}`);
    const work = async () => ({ integration: await renew(context, scope, integration.id) });
    renewed.push(await tryOne(ports, integration, work));
  }
  steps.clear();
  const failure = renewed.find((one) => one.failure)?.failure;
  return {
    fields: {
      integrations: renewed.map(({ integration, failure: error }) => ({
        ...summarise(integration),
        ...(error && { error: toCommandError(error, situation()) }),
      })),
    },
    text: renewed.length === 0 ? 'There is no access to renew.' : renewed.map(describeRenewed).join('\n'),
    failure,
  };
}

function isRenewable(integration: Integration): boolean {
  const status = keptStatus(integration, Date.now());
  const isSignedIn = status === 'ready' || status === 'offline' || status === 'failing';
  return (
    isSignedIn && integration.method !== 'NoAuth' && !usesApiKey(integration) && integration.hasRefreshToken !== false
  );
}

function describeRenewed({ integration: { name, expiresAt }, failure }: Tried<object>): string {
  const shown = `“${printableLine(name)}”`;
  if (failure) return `${shown} could not be renewed (${failure.code}).`;
  return expiresAt === undefined
    ? `${shown} has new access.`
    : `${shown} has new access until ${describeMoment(expiresAt, Date.now())}.`;
}

/** `postern sign-out ID`: forgets the tokens, keeps the entry; says where there are none. Errors: NOT_FOUND, KC_*, CFG_*. */
export async function signOut(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  const leave = {
    signOut: leaveEach(async (server) => {
      const { revocation } = await signOutIntegration(ports, server, access.signal);
      return { revocation };
    }),
  };
  const { id, name } = integration;
  const left = await signOutServers({ ...terminalSurface(context), ports, leave }, { ids: [id] });
  const [service] = left?.services ?? [];
  const revocation = service?.revocation ?? 'nothing-to-revoke';
  const now = (await ports.store.read(id)) ?? integration;
  const sentences = [
    service ? `Signed out of “${printableLine(name)}”.` : `You are not signed in to “${printableLine(name)}”.`,
    revocationSentences[revocation],
    now.state === 'signedOut' ? sayBack(now, context.situation()) : '',
  ];
  return {
    fields: { integration: summarise(now), revocation },
    text: context.output.advise(sentences.filter((sentence) => sentence !== '').join(' ')),
  };
}

/** What became of each at its service. */
function leaveEach<Left>(leave: (server: Integration) => Promise<Left>) {
  return async (servers: readonly Integration[]) => ({
    services: await Promise.all(servers.map(async (server) => ({ id: server.id, ...(await leave(server)) }))),
  });
}

/** A key is gone for good, so it has to be given again. */
function sayBack(server: Integration, at: Situation): string {
  return usesApiKey(server) ? `To give its key again: ${writeConnect(at)}.` : `To sign in again: ${writeSignIn(at)}.`;
}

/** `postern remove ID`: forgets a server and all that is kept for it. Errors: NOT_FOUND, KC_*, CFG_*. */
export async function remove(context: CommandContext): Promise<Answer> {
  if (context.args.options.has('all')) return await removeAll(context);
  const { engine, ports, integration, access } = await useIntegration(context);
  const { removalScope, openEnginePrograms } = await loadApps();
  const programs = await openEnginePrograms(context, engine);
  const leave = {
    remove: leaveEach(async (server) => {
      const { revocation, registration } = await removeIntegration(ports, server, access.signal);
      return { revocation, registration };
    }),
  };
  const { collections } = engine;
  const entries = removalScope(context, { ports, collections, programs, openPrograms: async () => programs });
  const scope = { ...terminalSurface(context), ...entries, ports, leave };
  const removed = await removeServers(scope, { ids: [integration.id] });
  const { revocation = 'nothing-to-revoke', registration = 'nothing-to-delete' } = removed?.services?.[0] ?? {};
  const left = servedBy(integration, await ports.store.list());
  const sentences = [
    `Removed “${printableLine(integration.name)}”.`,
    revocationSentences[revocation],
    registrationDeletionSentences[registration],
    sayLeft(left),
    // The command of one on this computer may hold what nobody should read here.
    integration.command ? '' : `To connect it again: ${writeConnect(context.situation())}.`,
  ];
  return {
    fields: {
      integration: summarise(integration),
      revocation,
      registration,
      ...(left.length > 0 && { withoutProvider: left.map(({ id }) => id) }),
    },
    text: context.output.advise(sentences.filter((sentence) => sentence !== '').join(' ')),
  };
}

/** What a removed identity provider leaves behind. */
function sayLeft(left: readonly Integration[]): string {
  if (left.length === 0) return '';
  const names = left.map(({ name }) => `“${printableLine(name)}”`).join(', ');
  return `It signed in for ${names}, which end with their access of now: remove them, or connect them anew.`;
}

/**
 * `postern remove --all`: deletes all that Postern keeps on this computer. What was done is said also where something
 * stayed. Errors: USAGE where nobody can be asked, USER_CANCELLED, KC_*, CFG_*.
 */
export async function removeAll(context: CommandContext): Promise<Answer> {
  const { args, output, signal } = context;
  if (!args.options.has('yes') && !context.canAsk)
    throw new UsageError('Nobody can be asked here: say --yes to delete everything.', 'remove');
  const engine = await openCommandEngine(context);
  const { ports, folder, collections } = engine;
  const { locks, vault } = ports;
  const { removalScope, openEnginePrograms, programsHere } = await loadApps();
  // Opening these reads no settings, which may be damaged.
  const programs = programsHere({ folder, locks, vault, records: engine.programs });
  const openPrograms = async () => await openEnginePrograms(context, engine);
  const all = await removeEverything(
    {
      ...terminalSurface(context),
      ...removalScope(context, { ports, collections, programs, openPrograms }),
      ports,
      access: { signal },
      alone: async (work) => await work(await engine.kept()),
      onForgotten: () => {},
    },
    {},
  );
  if (!all) throw new PosternError('USER_CANCELLED', { stage: 'app', detail: { work: 'deletion' } });
  const { failure, ...deleted } = all;
  const sentences = describeDeleted({ ...deleted, ...(failure && { failure }) });
  if (!failure) return { fields: { removed: deleted }, text: sentences.join('\n') };
  output.event('removed', { ...deleted });
  for (const sentence of sentences) output.tell(sentence);
  throw failure;
}

/** What is gone from here, and what became of the access at the services, in numbers. */
function describeDeleted(deleted: Deleted): string[] {
  const { integrations, signIns, keychainEntries, failure } = deleted;
  const { ended, endsByItself, registrationsLeft } = summariseServices(deleted);
  const signInsGone = `${signIns} ${signIns === 1 ? 'sign-in' : 'sign-ins'}`;
  return [
    failure ? `${signInsGone} deleted here.` : `${signInsGone} removed from the keychain.`,
    ...(signIns === 0 && keychainEntries > 0 ? ['The key that was left there is gone.'] : []),
    ...(integrations > 0 ? [`${integrations} ${integrations === 1 ? 'server' : 'servers'} taken off the list.`] : []),
    ...(failure ? [] : ['Settings and logs are deleted.']),
    ...(ended > 0 ? [`Sign-ins whose access the service has ended: ${ended}.`] : []),
    ...(endsByItself > 0
      ? [`Sign-ins whose access ends by itself, since the service could not be told: ${endsByItself}.`]
      : []),
    ...(registrationsLeft > 0 ? [`Registrations that stay at the services, unused: ${registrationsLeft}.`] : []),
  ];
}

/** Entries of apps go with what is removed: loaded then. */
async function loadApps() {
  const [{ removalScope }, { openEnginePrograms }, { programsHere }] = await Promise.all([
    import('../programs/confirm-changes.ts'),
    import('../programs/open-command-programs.ts'),
    import('../../host/programs/open-programs.ts'),
  ]);
  return { removalScope, openEnginePrograms, programsHere };
}
