import { undoSeconds } from '../../../shared/bounds.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { Integration } from '../../../shared/integration.ts';
import { secretEndingSoon } from '../../../shared/status-words.ts';
import {
  collectionsWithSecretCleanup,
  withSecretCleanup,
  storeWithSecretCleanup,
} from '../../apps/records/app-secret.ts';
import { waitForRefreshes } from '../../engine/engine-ports.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { findIntegration } from '../../engine/records/find-integration.ts';
import type { ProblemHistory } from '../../engine/records/server-failure.ts';
import { keysIn } from '../../engine/records/stored-secrets.ts';
import type { DeletionPorts } from '../../engine/removal/finish-deletions.ts';
import type { UseOptions } from '../../engine/use/use-server.ts';
import type { Collections, AppRecords } from '../../gateway-ports.ts';
import { openEngine } from '../../host/open-engine.ts';
import type { EngineOptions } from '../../host/open-engine.ts';
import { systemRandom } from '../../host/system-ports.ts';
import type { Vault } from '../../ports.ts';
import { removeIgnoredVariables } from '../../start-switches.ts';
import { createMemoryStore } from '../../storage/settings/store-layers.ts';
import { createMemoryVault, openVault } from '../../storage/vault/vault.ts';
import type { CommandContext, CommandEngine } from '../command-context.ts';
import { hasOption, storedOptionValues } from '../options/parse-arguments.ts';
import type { OptionValues } from '../options/parse-arguments.ts';
import { describeMoment } from '../output/describe-integration.ts';
import { printable, printableLine } from '../text.ts';
import { reportNotices } from './open-command-profile.ts';

/** Implements `openEngine` of the context. `sharedEngine`: that of the process that runs this command. */
export async function openCommandEngine(
  context: CommandContext,
  sharedEngine: CommandEngine | undefined,
  { memory = false } = {},
): Promise<CommandEngine> {
  if (sharedEngine) {
    context.logTo(sharedEngine.ports.log);
    reportNotices(context, sharedEngine.notices);
    return sharedEngine;
  }
  const profile = await context.openProfile();
  const ignoredVariables = removeIgnoredVariables(process.env);
  for (const kind of ignoredVariables) profile.log.write('variable-ignored', { kind });
  const keychains = await context.keychains();
  const engine = assembleEngine(
    { installation: context.installation, profile, keychains, ignoredVariables },
    { memory },
  );
  context.finishBeforeEnd(() => waitForRefreshes(engine.ports.refreshesInFlight));
  let deletions: { readonly notifying: Promise<unknown> } | undefined;
  // The services are notified while the command runs.
  context.onEnd(async () => {
    await deletions?.notifying;
    await engine.close();
  });
  if (!memory) {
    const apps = withSecretCleanup(engine.apps, engine.ports.vault);
    deletions = await finishPendingDeletions({ ...engine.ports, apps }, context);
    await finishRemovedCollections({ ports: engine.ports, collections: profile.store.collections, apps }, context);
  }
  return engine;
}

/** The engine for a profile, for one command or many. `memory`: stores nothing. Opens everything lazily. */
export function assembleEngine(
  {
    installation,
    profile,
    keychains,
    ignoredVariables,
  }: Pick<EngineOptions, 'installation' | 'profile' | 'keychains'> & Pick<CommandEngine, 'ignoredVariables'>,
  { memory = false } = {},
): CommandEngine {
  const { folder, locks, store, history } = profile;
  const keychain = keychains.own;
  let vaultOpening: Promise<Vault> | undefined;
  const vault = (): Promise<Vault> => {
    vaultOpening ??= memory
      ? Promise.resolve(createMemoryVault())
      : openVault({ folder, keychain, backend: keychains.backend, locks, random: systemRandom });
    return vaultOpening;
  };
  const engine = openEngine({
    profile,
    installation,
    keychains,
    vault,
    store: memory ? createMemoryStore(store) : storeWithSecretCleanup(store, store.apps, vault),
  });
  return {
    ...engine,
    history,
    folder,
    keychain,
    apps: store.apps,
    collections: collectionsWithSecretCleanup(store.collections, store.apps, engine.ports.vault),
    async openApps() {
      const { openApps } = await import('../../host/apps/open-apps.ts');
      return await openApps(installation, { ...engine.ports, folder, records: store.apps });
    },
    notices: () => store.notices(),
    ignoredVariables,
  };
}

/** Deletes removed collections once their undo time is over. Never rejects: the next command tries again. */
async function finishRemovedCollections(
  scope: {
    readonly ports: Pick<DeletionPorts, 'clock'>;
    readonly collections: Collections;
    readonly apps: AppRecords;
  },
  { onEnd }: Pick<CommandContext, 'onEnd'>,
): Promise<void> {
  if ((await scope.collections.removed().catch(() => [])).length === 0) return;
  const { scheduleCollectionRemovals } = await import('../../operations/undo.ts');
  const { stop } = await scheduleCollectionRemovals({ ...scope, apps: { records: scope.apps } });
  onEnd(async () => stop());
}

/** Finishes deletions that a killed window had started. A running window does that itself. */
async function finishPendingDeletions(
  ports: DeletionPorts,
  { onEnd, signal }: Pick<CommandContext, 'onEnd' | 'signal'>,
): Promise<{ readonly notifying: Promise<unknown> } | undefined> {
  const pending = await ports.store.pendingDeletions().catch(() => []);
  if (pending.length === 0) return undefined;
  const { isOverdue } = await import('../../engine/removal/pending-deletions.ts');
  const { finishLeftoverDeletions } = await import('../../engine/removal/finish-deletions.ts');
  const finish = () => finishLeftoverDeletions(ports, (deletion) => isOverdue(deletion, ports.clock), signal);
  // If the command is still running then: all are due by that time, unless undone.
  const cancelTimer = ports.clock.after(undoSeconds * 1_000, () => void finish());
  onEnd(async () => cancelTimer());
  return finish();
}

export interface OpenedIntegration {
  readonly engine: CommandEngine;
  readonly ports: EnginePorts;
  readonly integration: Integration;
  readonly access: UseOptions;
  readonly history: ProblemHistory;
}

/** The problem history, loaded when the first server fails. */
export function historyOf({ history }: Pick<CommandEngine, 'history'>): ProblemHistory {
  return {
    read: async (id) => await (await history()).read(id),
    record: async (id, events) => await (await history()).record(id, events),
  };
}

/** Opens the engine and finds the integration named by the first argument. Errors: NOT_FOUND, CFG_*, USAGE. */
export async function openIntegration(context: CommandContext): Promise<OpenedIntegration> {
  const { args, signal } = context;
  // Loaded only with --sign-in.
  const interaction = hasOption(args, 'sign-in') ? await import('../interaction/cli-interaction.ts') : undefined;
  const mode = interaction?.signInMode(context);
  const engine = await context.openEngine();
  const { ports, serverPool } = engine;
  const integration = await findIntegration(ports.store, args.positionals[0] ?? '', keysIn(ports.vault));
  const options = new Map([
    ['name', [integration.name]] as const,
    ...storedOptionValues(integration.options),
    ...keyOptions(integration),
  ]);
  context.setTargetServer({ url: integration.url, options });
  warnOfSecretExpiry(context, integration);
  reportServerOutput(context, ports, integration);
  const history = historyOf(engine);
  if (!interaction || mode === undefined)
    return { engine, ports, integration, access: { signal, serverPool }, history };
  const { recordSignInAtEnd } = await import('./sign-in-scope.ts');
  const signingIn = { ports, signIn: interaction.createInteraction(context, mode) };
  const recorded = recordSignInAtEnd(context, engine.history, history, integration, signingIn);
  return {
    engine,
    ports: recorded.ports,
    integration,
    access: { signal, user: recorded.user },
    history: recorded.problems,
  };
}

/** Options to give the server a new API key. */
function keyOptions({ options: { headerName } }: Integration): OptionValues {
  if (headerName === undefined) return new Map();
  return new Map([
    ['header', [headerName]],
    ['header-value-stdin', ['']],
  ]);
}

/** Warns before the secret expires, because tokens cannot be refreshed afterwards. */
function warnOfSecretExpiry({ output }: CommandContext, integration: Integration): void {
  const now = Date.now();
  const expiresAt = secretEndingSoon(integration, now);
  if (expiresAt === undefined) return;
  output.event('notice', { code: 'secret-ends', secretExpiresAt: expiresAt });
  const name = printableLine(integration.name);
  output.info(
    `The client secret of “${name}” expires ${describeMoment(expiresAt, now)}. Create a new one at the service, then sign in again.`,
  );
}

/** Log lines shown when a local server fails. */
const outputLines = 20;

/** If a local server fails, shows its log output before the error. */
export function reportServerOutput(
  { output, beforeResult }: Pick<CommandContext, 'output' | 'beforeResult'>,
  { local }: Pick<EnginePorts, 'local'>,
  { id, name, command }: Pick<Integration, 'id' | 'name' | 'command'>,
): void {
  if (!command) return;
  beforeResult((failure) => {
    if (failure === undefined || !hasTrait(failure, 'local-server')) return;
    const log = local.output(id).text.trimEnd();
    output.event('output', { output: log });
    // It was never started.
    if (log === '' && hasTrait(failure, 'local-state')) return;
    if (log === '') return output.info(`“${printableLine(name)}” wrote no log output.`);
    output.info(`Log output of “${printableLine(name)}”:`);
    output.info(printable(log.split('\n').slice(-outputLines).join('\n')));
  });
}
