import { undoSeconds } from '../../../shared/bounds.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import type { Integration } from '../../../shared/integration.ts';
import { secretEndingSoon } from '../../../shared/status-words.ts';
import {
  createForgetfulCollections,
  createForgetfulRecords,
  createForgetfulStore,
} from '../../apps/records/program-secret.ts';
import { allSent } from '../../engine/engine-ports.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import type { ProblemHistory } from '../../engine/kept/kept-failure.ts';
import { keysIn } from '../../engine/kept/stored-secrets.ts';
import type { DeletionPorts } from '../../engine/leave/finish-deletions.ts';
import type { Access } from '../../engine/use/use-server.ts';
import type { Collections, ProgramRecords } from '../../gateway-ports.ts';
import { openEngine } from '../../host/open-engine.ts';
import type { EngineOptions } from '../../host/open-engine.ts';
import { systemRandom } from '../../host/system-ports.ts';
import type { Vault } from '../../ports.ts';
import { removeIgnoredVariables } from '../../start-switches.ts';
import { createTrialStore } from '../../storage/settings/store-layers.ts';
import { createMemoryVault, openVault } from '../../storage/vault/vault.ts';
import type { CommandContext, CommandEngine } from '../command-context.ts';
import { hasOption, storedOptionValues } from '../options/parse-arguments.ts';
import type { OptionValues } from '../options/parse-arguments.ts';
import { describeMoment } from '../output/describe-integration.ts';
import { printable, printableLine } from '../text.ts';
import { openCommandProfile, tellNotices } from './open-command-profile.ts';

/** The engine for the commands that talk to servers. `memory` keeps nothing. Errors: CFG_*. */
export async function openCommandEngine(context: CommandContext, { memory = false } = {}): Promise<CommandEngine> {
  const { lent } = context;
  if (lent?.keptServers) {
    context.logTo(lent.ports.log);
    tellNotices(context, lent.notices);
  }
  if (lent) return lent;
  const profile = await openCommandProfile(context);
  const ignored = removeIgnoredVariables(process.env);
  for (const kind of ignored) profile.log.write('variable-ignored', { kind });
  const keychains = await context.keychains();
  const engine = assembleEngine({ installation: context.installation, profile, keychains, ignored }, { memory });
  context.finishBeforeEnd(() => allSent(engine.ports.renewals));
  let left: { readonly telling: Promise<unknown> } | undefined;
  // The services are told while the command works.
  context.onEnd(async () => {
    await left?.telling;
    await engine.close();
  });
  if (!memory) {
    const programs = createForgetfulRecords(engine.programs, engine.ports.vault);
    left = await finishLeft({ ...engine.ports, programs }, context);
    await finishRemovedCollections({ ports: engine.ports, collections: profile.store.collections, programs }, context);
  }
  return engine;
}

/** The engine on a profile, for one command or for many. `memory` keeps nothing. Opens nothing yet. */
export function assembleEngine(
  {
    installation,
    profile,
    keychains,
    ignored,
  }: Pick<EngineOptions, 'installation' | 'profile' | 'keychains'> & Pick<CommandEngine, 'ignored'>,
  { memory = false } = {},
): CommandEngine {
  const { folder, locks, store, history } = profile;
  const keychain = keychains.own;
  let opened: Promise<Vault> | undefined;
  const vault = (): Promise<Vault> => {
    opened ??= memory
      ? Promise.resolve(createMemoryVault())
      : openVault({ folder, keychain, backend: keychains.backend, locks, random: systemRandom });
    return opened;
  };
  const engine = openEngine({
    profile,
    installation,
    keychains,
    vault,
    store: memory ? createTrialStore(store) : createForgetfulStore(store, store.programs, vault),
  });
  return {
    ...engine,
    history,
    folder,
    keychain,
    programs: store.programs,
    collections: createForgetfulCollections(store.collections, store.programs, engine.ports.vault),
    notices: () => store.notices(),
    ignored,
  };
}

/** Collections whose hour is over, now and while this command runs. Never rejects: the next one tries again. */
async function finishRemovedCollections(
  scope: {
    readonly ports: Pick<DeletionPorts, 'clock'>;
    readonly collections: Collections;
    readonly programs: ProgramRecords;
  },
  { onEnd }: Pick<CommandContext, 'onEnd'>,
): Promise<void> {
  if ((await scope.collections.removed().catch(() => [])).length === 0) return;
  const { keepFinishingRemovals } = await import('../../operations/undo.ts');
  const { stop } = await keepFinishingRemovals({ ...scope, programs: { records: scope.programs } });
  onEnd(async () => stop());
}

/** What a window that was killed had begun to delete. A window that runs does that itself. */
async function finishLeft(
  ports: DeletionPorts,
  { onEnd, signal }: Pick<CommandContext, 'onEnd' | 'signal'>,
): Promise<{ readonly telling: Promise<unknown> } | undefined> {
  const pending = await ports.store.pendingDeletions().catch(() => []);
  if (pending.length === 0) return undefined;
  const { isOverdue } = await import('../../engine/leave/pending-deletions.ts');
  const { finishLeftDeletions } = await import('../../engine/leave/finish-deletions.ts');
  const finish = () => finishLeftDeletions(ports, (deletion) => isOverdue(deletion, ports.clock), signal);
  // For a command that keeps running: by then each is due, unless it was undone.
  const stopWaiting = ports.clock.after(undoSeconds * 1_000, () => void finish());
  onEnd(async () => stopWaiting());
  return finish();
}

export interface UsedIntegration {
  readonly engine: CommandEngine;
  readonly ports: EnginePorts;
  readonly integration: Integration;
  readonly access: Access;
  readonly history: ProblemHistory;
}

/** The history of servers, loaded once one fails. */
export function historyOf({ history }: Pick<CommandEngine, 'history'>): ProblemHistory {
  return {
    read: async (id) => await (await history()).read(id),
    note: async (id, events) => await (await history()).note(id, events),
  };
}

/** Opens the engine and finds the integration that the first word names. Errors: NOT_FOUND, CFG_*, USAGE. */
export async function useIntegration(context: CommandContext): Promise<UsedIntegration> {
  const { args, signal } = context;
  // Most commands sign in nowhere, and then load nothing for it.
  const asking = hasOption(args, 'sign-in') ? await import('../asking/cli-interaction.ts') : undefined;
  const way = asking?.signInWay(context);
  const engine = await openCommandEngine(context);
  const { ports, keptServers } = engine;
  const integration = await findIntegration(ports.store, args.positionals[0] ?? '', keysIn(ports.vault));
  const options = new Map([
    ['name', [integration.name]] as const,
    ...storedOptionValues(integration.options),
    ...keyOptions(integration),
  ]);
  context.serverAtHand({ url: integration.url, options });
  warnOfSecret(context, integration);
  tellOutput(context, ports, integration);
  const history = historyOf(engine);
  if (!asking || way === undefined) return { engine, ports, integration, access: { signal, keptServers }, history };
  const { noteSignInAtEnd } = await import('./sign-in-scope.ts');
  const signingIn = { ports, signIn: asking.createInteraction(context, way) };
  const noted = noteSignInAtEnd(context, engine.history, history, integration, signingIn);
  return { engine, ports: noted.ports, integration, access: { signal, user: noted.user }, history: noted.problems };
}

/** The options that give the server a new key. */
function keyOptions({ options: { headerName } }: Integration): OptionValues {
  if (headerName === undefined) return new Map();
  return new Map([
    ['header', [headerName]],
    ['header-value-stdin', ['']],
  ]);
}

/** Before its end, since afterwards no token can be renewed. */
function warnOfSecret({ output }: CommandContext, integration: Integration): void {
  const now = Date.now();
  const end = secretEndingSoon(integration, now);
  if (end === undefined) return;
  output.event('notice', { code: 'secret-ends', secretExpiresAt: end });
  const name = printableLine(integration.name);
  output.say(
    `The client secret of “${name}” ends ${describeMoment(end, now)}. Make a new one at the service, then sign in again.`,
  );
}

/** Lines of its output that say why a server on this computer did not answer. */
const lines = 20;

/** Where a server on this computer fails, a person sees what it has written before they read that. */
export function tellOutput(
  { output, onAnswer }: Pick<CommandContext, 'output' | 'onAnswer'>,
  { local }: Pick<EnginePorts, 'local'>,
  { id, name, command }: Pick<Integration, 'id' | 'name' | 'command'>,
): void {
  if (!command) return;
  onAnswer((failure) => {
    if (failure === undefined || !isAbout(failure, 'local-server')) return;
    const written = local.output(id).text.trimEnd();
    output.event('output', { output: written });
    // It has had no chance to.
    if (written === '' && isAbout(failure, 'local-state')) return;
    if (written === '') return output.say(`“${printableLine(name)}” has written nothing.`);
    output.say(`“${printableLine(name)}” has written:`);
    output.say(printable(written.split('\n').slice(-lines).join('\n')));
  });
}
