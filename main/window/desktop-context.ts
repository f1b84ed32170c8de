import type { SnapshotSlice } from '../../shared/ipc-event.ts';
import type { ProgramEngine, ProgramsHere } from '../apps/program-engine.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import type { RegistrySearch } from '../engine/registry/registry-search.ts';
import type { KeptServers } from '../engine/use/server-cache.ts';
import type { PosternError } from '../errors/postern-error.ts';
import type { Collections } from '../gateway-ports.ts';
import type { HistoryStore, KeptData } from '../ports.ts';
import type { ActivityLog, DesktopShell, ProgramUpdates, SettingsFile } from '../window-ports.ts';
import type { WindowUser } from './asking/window-user.ts';
import type { Connections } from './connections/connections.ts';
import type { ImportedEntry } from './connections/imported-entry.ts';
import type { ServerIcons } from './icons/server-icons.ts';
import type { Deletions } from './state/deletions.ts';
import type { IntegrationBoard } from './state/integration-board.ts';
import type { KeptResults } from './state/kept-results.ts';
import type { StorageHealth } from './state/storage-health.ts';
import type { WindowCalls } from './state/window-calls.ts';
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
  /** Says that a slice has to be published again. */
  readonly changed: (slice: SnapshotSlice) => void;
}
