import { hasTrait } from '../../shared/error-traits.ts';
import type { Integration } from '../../shared/integration.ts';
import type { IpcEvent, SnapshotSlice } from '../../shared/ipc-event.ts';
import type { TracedSignIn } from '../../shared/trace.ts';
import type { AppDependencies, AppReader } from '../apps/app-dependencies.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { isServerFailure } from '../engine/records/server-failure.ts';
import type { RegistrySearch } from '../engine/registry-search.ts';
import type { ServerPool } from '../engine/use/server-pool.ts';
import { isExpectedError, PosternError, remedyOf } from '../errors/postern-error.ts';
import type { Collections } from '../gateway-ports.ts';
import type { HistoryStore, StoredData } from '../ports.ts';
import type {
  ActivityLog,
  DesktopShell,
  PosternUpdates,
  SettingsFile,
  TodaysCalls,
  WindowStateStore,
} from '../window-ports.ts';
import type { WindowUser } from './consent/window-user.ts';
import type { SignInAttempts, ImportedEntry } from './attempts/sign-in-attempts.ts';
import type { ServerIcons } from './icons/server-icons.ts';
import type { Deletions } from './state/deletions.ts';
import type { IntegrationStatuses } from './state/integration-statuses.ts';
import type { StorageHealth } from './state/storage-health.ts';
import type { CallResults, WindowCalls } from './state/window-calls.ts';
import type { WindowSettings } from './state/window-settings.ts';

/** The gateway that runs in the window's process. None of it rejects. */
interface ServingGateway {
  stop(): Promise<void>;
  start(): void;
  /** Checks again whether the HTTP endpoint is needed, and opens it if so. */
  changed(): Promise<void>;
  /** Why the HTTP endpoint could not be opened. */
  readonly httpError: PosternError | undefined;
}

/** Dependencies of all IPC handlers. */
export interface DesktopContext {
  readonly ports: EnginePorts;
  readonly shell: DesktopShell;
  readonly user: WindowUser;
  readonly attempts: SignInAttempts;
  readonly statuses: IntegrationStatuses;
  readonly deletions: Deletions;
  readonly health: StorageHealth;
  readonly settings: WindowSettings;
  readonly storedData: StoredData;
  readonly settingsFile: SettingsFile;
  /** Errors: CERTIFICATE_FILE_INVALID if the file contains no readable certificate. */
  readonly checkCertificateFile: (file: string) => void;
  readonly apps: AppReader;
  readonly collections: Collections;
  /** Opens what is needed to change app configurations. Errors: CFG_*. */
  readonly openApps: () => Promise<AppDependencies>;
  /** A free port for the HTTP endpoint. Errors: GATEWAY_PORT. */
  readonly freePort: () => Promise<number>;
  /** Present if this process runs the gateway. */
  readonly gateway?: ServingGateway | undefined;
  readonly activity: ActivityLog;
  readonly todaysCalls: TodaysCalls;
  readonly windowState: WindowStateStore;
  readonly updates?: PosternUpdates | undefined;
  /** Entries of the list that was read last, by entry id. Headers never go to the window. */
  readonly imports: Map<string, ImportedEntry>;
  /** The profile folder. */
  readonly folder: string;
  readonly icons: ServerIcons;
  readonly history: HistoryStore;
  readonly registry: RegistrySearch;
  /** Connections that stay open between IPC calls. */
  readonly serverPool: ServerPool;
  readonly callResults: CallResults;
  /** Calls that the window waits for. */
  readonly calls: WindowCalls;
  /** Sends an event that is not state to all open windows. */
  readonly sendEvent: (event: IpcEvent) => void;
  /** Marks a slice to be published again. */
  readonly changed: (slice: SnapshotSlice) => void;
}

/**
 * Runs an operation on an integration and updates its displayed status: success clears an earlier error. Errors of the
 * operation are rethrown.
 */
export async function trackOutcome<Result>(
  { statuses, ports }: Pick<DesktopContext, 'statuses' | 'ports'>,
  integration: Integration,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    statuses.markResponded(integration);
    return result;
  } catch (error) {
    if (error instanceof PosternError) {
      // A transient refresh failure belongs to the scheduler, which retries and knows when it is over.
      if (isRenewalPending(error)) statuses.reviewRefreshes();
      // A call that the user cancelled says nothing about the server.
      else if (isExpectedError(error))
        statuses.observe(isServerFailure(error) ? await rereadIntegration(ports, integration) : integration, error);
      ports.log.write('operation-failed', { code: error.code, stage: error.stage, integration: integration.id });
    }
    throw error;
  }
}

/** The refresh will be retried, although the user may have to sign in eventually. */
function isRenewalPending(error: PosternError): boolean {
  return remedyOf(error).kind === 'await-renewal' || hasTrait(error, 'renewal-refused');
}

async function rereadIntegration({ store }: DesktopContext['ports'], integration: Integration): Promise<Integration> {
  return (await store.read(integration.id).catch(() => undefined)) ?? integration;
}

/** The last sign-ins of an attempt or an integration, newest first: from this run, then from the stored history. */
export async function recentSignIns(
  { attempts, statuses, history }: DesktopContext,
  id: string,
): Promise<TracedSignIn[]> {
  const attempt = attempts.find((candidate) => candidate.id === id);
  const last = attempt?.run ?? attempts.ofIntegration(id)?.run ?? statuses.of(id).lastSignIn;
  const stored = attempt ? [] : (await history.read(id)).signIns;
  if (!last) return [...stored];
  const entries = [...last.trace.entries()];
  return [
    ...(entries.length > 0 ? [{ at: last.startedAt, entries }] : []),
    ...stored.filter(({ at }) => at !== last.startedAt),
  ];
}
