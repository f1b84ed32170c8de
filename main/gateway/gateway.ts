// The gateway: serves AI apps, which connect over the local socket or HTTP, and opens their sessions.

import { collectionNameIn } from '../../shared/entry-name.ts';
import type { Integration } from '../../shared/integration.ts';
import type { AppRecord } from '../../shared/app-record.ts';
import type { Settings } from '../../shared/settings.ts';
import { displayText } from '../address/display-text.ts';
import { findIntegration } from '../engine/records/find-integration.ts';
import { PosternError } from '../errors/postern-error.ts';
import { pipeProtocol } from '../gateway-ports.ts';
import type { Admission, Hello, AppConnection, GatewaySession } from '../gateway-ports.ts';
import { displayNameLength, gatewaySession } from '../limits.ts';
import { CallLog } from './responses/call-log.ts';
import type { Caller } from './responses/call-log.ts';
import { refusalFor } from './responses/judge-failure.ts';
import { Targets } from './collection/targets.ts';
import type { Target, TargetsPorts } from './collection/targets.ts';
import type { GatewayPorts } from './gateway-dependencies.ts';
import { HttpApps } from './http/http-apps.ts';
import { MessageBudget } from './limits/message-budget.ts';
import { OpenSessions, PendingConnections } from './limits/open-sessions.ts';
import {
  admit,
  requestConsent,
  canAsk,
  findById,
  isRecordId,
  mayContinue,
  PausedApps,
} from './capabilities/app-access.ts';
import { ServedServers } from './server/served-server.ts';
import type { ServedServer } from './server/served-server.ts';
import type { LiveSession } from './session/open-session.ts';
import { RefusedSession, WaitingSession } from './session/waiting-session.ts';

/** Serves AI apps. Each session connects one app to one server; sessions share only the sign-in. */
export class Gateway {
  readonly #ports: GatewayPorts;
  readonly #servers: ServedServers;
  readonly #sessions = new OpenSessions<LiveSession>();
  readonly #budget = new MessageBudget();
  readonly #httpApps: HttpApps;
  readonly #sessionPorts: TargetsPorts;
  readonly #targets: Targets;
  readonly #pending: PendingConnections;
  readonly #closing = new AbortController();
  readonly #settings: SettingsReader;
  #paused = new PausedApps({});
  #stopPolling: () => void = () => {};

  constructor(ports: GatewayPorts) {
    this.#settings = new SettingsReader(ports);
    this.#ports = ports;
    const changedTools = (): Settings['changedTools'] => this.#settings.changedTools;
    this.#servers = new ServedServers({ ...ports, changedTools }, ports.catalog, this.#closing.signal);
    this.#pending = new PendingConnections(ports.clock);
    this.#sessionPorts = {
      ...ports,
      sessions: this.#sessions,
      budget: this.#budget,
      serve: (integration) => this.#servers.serve(integration),
      update: (stored) => void this.#update(this.#servers.serve(stored), stored),
      paused: () => this.#paused,
    };
    this.#targets = new Targets(this.#sessionPorts);
    this.#httpApps = new HttpApps({ ...this.#sessionPorts, targets: this.#targets });
    this.#pollServers();
  }

  /** Sessions at the socket. */
  get sessions(): number {
    return [...this.#sessions].filter(({ isAtSocket }) => isAtSocket).length;
  }

  /** Whether an app has used the gateway since the last call: a session at the socket, or an HTTP request. */
  consumeActivity(): boolean {
    // An open HTTP session does not count: many apps never end one.
    return this.#httpApps.consumeActivity() || this.sessions > 0;
  }

  /** Whether nothing is in flight. */
  get isIdle(): boolean {
    return [...this.#sessions].every(({ session }) => session.isIdle);
  }

  /** Opens a session. If that is refused, the session reports why, so that the app shows it. Never rejects. */
  async open(hello: Hello, connection: AppConnection): Promise<GatewaySession> {
    return await beginSession(
      { ...this.#sessionPorts, pending: this.#pending, targets: this.#targets },
      hello,
      connection,
    );
  }

  /** Identifies an HTTP app by its secret and checks whether it may use this server. Never rejects. */
  admitBearer(secret: string, reference: string): Promise<Admission> {
    return this.#httpApps.admit(secret, reference);
  }

  /** Re-reads the settings file after any process has changed it. Never rejects. */
  async reloadSettings(): Promise<void> {
    this.#httpApps.forgetAdmissions();
    const { list, records = [], settings = {} } = await this.#settings.read();
    if (!list) return;
    const before = this.#paused;
    this.#paused = new PausedApps(settings);
    const isAllowed = ({ id }: AppRecord, access: string, isOnce: boolean): boolean =>
      mayContinue(findById(records, id), access, isOnce);
    for (const { hangUp, access, app, isOnce } of this.#sessions) if (app && !isAllowed(app, access, isOnce)) hangUp();
    this.#httpApps.closeDisallowed(isAllowed);
    for (const server of this.#servers) {
      const current = list.find(({ id }) => id === server.integration.id);
      if (!this.#update(server, current)) this.#catchUp(server, (app) => before.has(app));
    }
    const inUse = new Set([...this.#sessions].map(({ server }) => server));
    this.#servers.retain((server) => inUse.has(server) || list.some(({ id }) => id === server.integration.id));
    this.#budget.retain(new Set(records.map(({ id }) => id)));
    await this.#targets.updateMembers(list);
    await this.#settings.pruneCatalog(list);
  }

  /** Called when a server may be back, which the settings file does not show. */
  retryServer(id: string): void {
    const server = this.#servers.get(id);
    if (server) this.#catchUp(server);
  }

  async close(): Promise<void> {
    this.#stopPolling();
    await this.#httpApps.close();
    await Promise.allSettled([...this.#sessions].map(({ session }) => session.close()));
    await Promise.allSettled([...this.#servers].flatMap(({ catalog, saved }) => [catalog.settle(), saved]));
    this.#closing.abort(new PosternError('USER_CANCELLED', { stage: 'gateway' }));
  }

  /** Applies the stored integration. If the sign-in has changed, retries waiting sessions and returns true. */
  #update(server: ServedServer, integration: Integration | undefined): boolean {
    if (!server.update(integration)) return false;
    if (server.integration.state === 'integrated') this.#ports.onSignedIn?.(server.integration.id);
    this.#catchUp(server);
    return true;
  }

  /** Retries the sessions of a server, except those of paused apps. */
  #catchUp(server: ServedServer, appliesTo: (app: AppRecord | undefined) => boolean = () => true): void {
    if (server.integration.state !== 'integrated') return;
    for (const { server: other, session, app, mayBeAbandoned } of this.#sessions) {
      const isWaiting = !mayBeAbandoned || session.isStale;
      if (other === server && isWaiting && appliesTo(app) && !this.#paused.has(app)) void session.catchUp('signed-in');
    }
  }

  /** Re-reads the settings now and then, and retries unreachable servers that a session waits for. */
  #pollServers(): void {
    this.#stopPolling = this.#ports.clock.after(gatewaySession.retryInterval, () => {
      if (this.#sessions.size > 0 || !this.#httpApps.isEmpty) void this.reloadSettings();
      for (const { session, app } of this.#sessions)
        if (session.isStale && !this.#paused.has(app)) void session.catchUp('perhaps');
      this.#pollServers();
    });
  }
}

interface SettingsContent {
  readonly list: readonly Integration[];
  readonly records: readonly AppRecord[];
  readonly settings: Settings;
}

/** Reads what the gateway needs of the settings file, whichever process wrote it. */
class SettingsReader {
  readonly #ports: Pick<GatewayPorts, 'store' | 'apps' | 'catalog'>;
  #started = 0;
  #latest = 0;
  /** How to treat changed tools, for servers without a setting of their own. */
  changedTools: Settings['changedTools'];

  constructor(ports: Pick<GatewayPorts, 'store' | 'apps' | 'catalog'>) {
    this.#ports = ports;
  }

  /** Empty if the file cannot be read, or if a later read finished first. Never rejects. */
  async read(): Promise<Partial<SettingsContent>> {
    const { store, apps } = this.#ports;
    const own = (this.#started += 1);
    try {
      const [list, records, settings] = await Promise.all([store.list(), apps.list(), store.settings()]);
      if (own < this.#latest) return {};
      this.#latest = own;
      this.changedTools = settings.changedTools;
      return { list, records, settings };
    } catch {
      return {};
    }
  }

  /**
   * Drops cached catalogs of servers that are neither in `list` nor pending deletion, if the whole list is known.
   * Never rejects.
   */
  async pruneCatalog(list: readonly Integration[]): Promise<void> {
    const { store, catalog } = this.#ports;
    try {
      const pendingDeletion = (await store.pendingDeletions()).map(({ integration }) => integration);
      // Read again: a server may have been restored meanwhile.
      const all = [...list, ...pendingDeletion, ...(await store.list())];
      if (await store.isListComplete()) await catalog.retain(new Set(all.map(({ id }) => id)));
    } catch {
      // Best effort: the next change tries again.
    }
  }
}

interface BeginSessionPorts extends TargetsPorts {
  readonly pending: PendingConnections;
  readonly targets: Targets;
}

/**
 * Opens a session at the socket. `ownNames`: what the app calls itself; without them, consent is requested with the
 * app's first request. A refusal is reported within the session. Never rejects.
 */
async function beginSession(
  ports: BeginSessionPorts,
  hello: Hello,
  connection: AppConnection,
  ownNames?: readonly string[],
): Promise<GatewaySession> {
  const { server: reference, app: recordId, parent } = hello;
  const { budget, onSession } = ports;
  const { hangUp } = connection;
  const name = displayText(reference, displayNameLength);
  // Apps that may use nothing yet share one budget.
  const unknownApps = budget.of(undefined);
  let caller: Caller = { app: undefined, server: { integration: { name } } };
  try {
    if (hello.protocol !== pipeProtocol) throw new PosternError('PIPE_OUTDATED', { stage: 'gateway' });
    const target = await findTarget(ports, reference);
    const record = findById(await ports.apps.list(), recordId);
    const integration = target.kind === 'server' ? target.integration : { name: target.name };
    caller = { app: record?.app, server: { integration } };
    const needsConsent = !ports.paused().has(record) && canAsk(ports, record, target);
    if (needsConsent && !ownNames)
      return new WaitingSession(
        { connection, reading: unknownApps.openReading(hangUp) },
        recordId,
        ports.pending,
        (names) => beginSession(ports, hello, connection, names),
      );
    const entry = recordId !== undefined && isRecordId(recordId) ? recordId : undefined;
    const { app, isOnce } = needsConsent
      ? await requestConsent(ports, { record, entry, ownNames: ownNames ?? [], parent, integration: target })
      : { app: admit(record, target, ports), isOnce: false };
    const event = { app: app?.name, integration: target.id };
    const onClosed = (): void => onSession({ state: 'closed', ...event });
    const side = { ...connection, app, record, isOnce, isAtSocket: true, onClosed };
    const session = await ports.targets.open(target, side, budget.of(app?.id).openReading(hangUp));
    onSession({ state: 'open', ...event });
    return session;
  } catch (error) {
    onSession({ state: 'refused', app: recordId, integration: reference });
    const failure = error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'gateway' });
    const refusal = refusalFor(failure, { name, reference: name, command: ports.command });
    const reading = unknownApps.openReading(hangUp);
    const leave = ports.pending.enter(recordId, hangUp);
    return new RefusedSession(refusal, { send: connection.send, calls: new CallLog(ports, caller), leave, reading });
  }
}

/** Errors: NOT_FOUND, CFG_*. */
async function findTarget({ store, targets }: BeginSessionPorts, reference: string): Promise<Target> {
  const target = await targets.find(reference);
  if (target) return target;
  const name = collectionNameIn(reference);
  if (name === undefined) return targets.serverTarget(await findIntegration(store, reference));
  const detail = { count: 0, collection: displayText(name, displayNameLength) };
  throw new PosternError('NOT_FOUND', { stage: 'gateway', detail });
}
