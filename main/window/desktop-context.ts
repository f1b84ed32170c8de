import { isAbout } from '../../shared/error-facts.ts';
import type { Integration } from '../../shared/integration.ts';
import type { IpcEvent, SnapshotSlice } from '../../shared/ipc-event.ts';
import type { KeptSignIn } from '../../shared/trace.ts';
import type { ProgramEngine, ProgramsHere } from '../apps/program-engine.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { isFailing } from '../engine/kept/kept-failure.ts';
import type { RegistrySearch } from '../engine/registry-search.ts';
import type { KeptServers } from '../engine/use/server-cache.ts';
import { isOutcome, PosternError, remedyOf } from '../errors/postern-error.ts';
import type { Collections } from '../gateway-ports.ts';
import type { HistoryStore, KeptData } from '../ports.ts';
import type { ActivityLog, DesktopShell, ProgramUpdates, SettingsFile } from '../window-ports.ts';
import type { WindowUser } from './asking/window-user.ts';
import type { Connections, ImportedEntry } from './connections/connections.ts';
import type { ServerIcons } from './icons/server-icons.ts';
import type { Deletions } from './state/deletions.ts';
import type { IntegrationBoard } from './state/integration-board.ts';
import type { StorageHealth } from './state/storage-health.ts';
import type { KeptResults, WindowCalls } from './state/window-calls.ts';
import type { WindowSettings } from './state/window-settings.ts';

/** Nothing of it rejects. */
export interface ServingGateway {
  stop(): Promise<void>;
  start(): void;
  /** Checks again whether HTTP is needed, and opens that way in if it is. */
  changed(): Promise<void>;
  /** Why programs do not get in over HTTP. */
  readonly httpTrouble: PosternError | undefined;
}

/** What every handler works with. */
export interface DesktopContext {
  readonly ports: EnginePorts;
  readonly shell: DesktopShell;
  readonly user: WindowUser;
  readonly connections: Connections;
  readonly board: IntegrationBoard;
  readonly deletions: Deletions;
  readonly health: StorageHealth;
  readonly settings: WindowSettings;
  /** All that is kept here. */
  readonly kept: KeptData;
  readonly settingsFile: SettingsFile;
  /** Errors: CERTIFICATE_FILE_INVALID where nothing in it is a certificate that can be read. */
  readonly checkCertificateFile: (file: string) => void;
  readonly programs: ProgramsHere;
  readonly collections: Collections;
  /** What changing their configurations needs. Errors: CFG_*. */
  readonly openPrograms: () => Promise<ProgramEngine>;
  /** One for programs over HTTP that nobody has. Errors: GATEWAY_PORT. */
  readonly freePort: () => Promise<number>;
  /** What serves programs, where the window's program does. */
  readonly gateway?: ServingGateway | undefined;
  readonly activity: ActivityLog;
  readonly updates?: ProgramUpdates | undefined;
  /** From the list that was looked at last, by the id of its entry: a header never goes to the window. */
  readonly imports: Map<string, ImportedEntry>;
  /** The profile folder. */
  readonly folder: string;
  readonly icons: ServerIcons;
  readonly history: HistoryStore;
  readonly registry: RegistrySearch;
  /** What stays open between the commands of a window. */
  readonly keptServers: KeptServers;
  readonly results: KeptResults;
  /** What the window waits for. */
  readonly calls: WindowCalls;
  /** Sends to the windows that are open what is no state. */
  readonly tell: (event: IpcEvent) => void;
  /** Says that a slice has to be published again. */
  readonly changed: (slice: SnapshotSlice) => void;
}

/**
 * Runs one operation on an integration and shows what it says of the integration's state. An answer clears what was
 * wrong before; its own error is passed on.
 */
export async function observing<Result>(
  { board, ports }: Pick<DesktopContext, 'board' | 'ports'>,
  integration: Integration,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    board.answered(integration);
    return result;
  } catch (error) {
    if (error instanceof PosternError) {
      // A fault that passes is the scheduler's business: it tries again, and knows when it is over.
      if (isOfRenewal(error)) board.awake();
      // A page that was left before its answer says nothing of the server.
      else if (isOutcome(error))
        board.observe(isFailing(error) ? await asKept(ports, integration) : integration, error);
      ports.log.write('operation-failed', { code: error.code, stage: error.stage, integration: integration.id });
    }
    throw error;
  }
}

/** It is tried again, though a user may have to sign in in the end. */
function isOfRenewal(error: PosternError): boolean {
  return remedyOf(error).kind === 'await-renewal' || isAbout(error, 'renewal-refused');
}

async function asKept({ store }: DesktopContext['ports'], integration: Integration): Promise<Integration> {
  return (await store.read(integration.id).catch(() => undefined)) ?? integration;
}

/** The last sign-ins of a connection or an integration, newest first: of this run, and what is kept of those before. */
export async function signInsOf({ connections, board, history }: DesktopContext, id: string): Promise<KeptSignIn[]> {
  const connection = connections.find((candidate) => candidate.id === id);
  const last = connection?.attempt ?? connections.ofIntegration(id)?.attempt ?? board.of(id).lastSignIn;
  const kept = connection ? [] : (await history.read(id)).signIns;
  if (!last) return [...kept];
  const entries = [...last.trace.entries()];
  return [...(entries.length > 0 ? [{ at: last.at, entries }] : []), ...kept.filter(({ at }) => at !== last.at)];
}
