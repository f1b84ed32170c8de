import type { Integration } from '../../shared/integration.ts';
import type { ProgramRecord } from '../../shared/program-record.ts';
import type { EnginePorts } from '../integration/engine-ports.ts';
import { findIntegration } from '../integration/kept/find-integration.ts';
import { storedAddress } from '../integration/kept/integration-policy.ts';
import { gatewaySession } from '../limits.ts';
import type { RequestFailure } from '../mcp/mcp-fetch.ts';
import { PosternError } from '../postern-error.ts';
import type { CatalogueStore, Hello, ProgramRecords, ProgramLine, ProgramSession, Send } from '../gateway-ports.ts';
import { headersFor } from './headers-for.ts';
import { judgeFailure, refusalFor } from './judge-failure.ts';
import { RefusedSession } from './refused-session.ts';
import { ServedServer } from './served-server.ts';
import { Session } from './session.ts';
import { Upstream } from './upstream.ts';

export interface GatewayPorts extends EnginePorts {
  readonly programs: ProgramRecords;
  readonly catalogue: CatalogueStore;
  /** A program that nobody has added may use everything. */
  readonly allowUnknown: boolean;
  readonly onSession: (event: SessionEvent) => void;
}

export interface SessionEvent {
  readonly state: 'open' | 'refused' | 'closed';
  readonly program: string | undefined;
  readonly integration: string;
}

interface Open {
  readonly line: ProgramLine;
  readonly session: Session;
  readonly server: ServedServer;
  readonly program: ProgramRecord | undefined;
}

/** Serves programs: each session is one of them with one server, and shares nothing with others but the sign-in. */
export class Gateway {
  readonly #ports: GatewayPorts;
  readonly #servers = new Map<string, ServedServer>();
  readonly #open = new Set<Open>();
  readonly #end = new AbortController();
  #stopLooking: () => void = () => {};

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
    this.#look();
  }

  get sessions(): number {
    return this.#open.size;
  }

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return [...this.#open].every(({ session }) => session.isIdle);
  }

  /** Begins a session. What stands against it is answered in it, so that programs show it. Never rejects. */
  async open({ server: reference, program: recordId }: Hello, line: ProgramLine): Promise<ProgramSession> {
    const { onSession } = this.#ports;
    try {
      const integration = await findIntegration(this.#ports.store, reference);
      const program = await this.#admit(recordId, integration.id, integration.name);
      const server = this.#serve(integration);
      const session = this.#newSession(server, line.send);
      const open: Open = { line, session, server, program };
      this.#open.add(open);
      const told = { program: program?.name, integration: integration.id };
      onSession({ state: 'open', ...told });
      return {
        receive: (bytes) => session.receive(bytes),
        refuseLong: (beginning) => session.refuseLong(beginning),
        get isIdle() {
          return session.isIdle;
        },
        close: async () => {
          if (!this.#open.delete(open)) return;
          await session.close();
          onSession({ state: 'closed', ...told });
        },
      };
    } catch (error) {
      onSession({ state: 'refused', program: recordId, integration: reference });
      const thrown = error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'gateway' });
      this.#ports.clock.after(gatewaySession.refused, line.hangUp);
      return new RefusedSession(refusalFor(thrown, reference, reference), line.send);
    }
  }

  /** The list was changed, by whichever process. Never rejects. */
  async changed(): Promise<void> {
    const { store, programs, catalogue } = this.#ports;
    const [list, records] = await Promise.all([store.list(), programs.list()]).catch(() => [undefined, []] as const);
    if (!list) return;
    for (const { line, server, program } of this.#open) {
      if (
        program &&
        !mayUse(
          records.find(({ id }) => id === program.id),
          server.integration.id,
        )
      )
        line.hangUp();
    }
    for (const [id, server] of this.#servers) {
      if (!server.update(list.find((integration) => integration.id === id))) continue;
      for (const open of this.#open) if (open.server === server) void open.session.catchUp();
    }
    if (await store.listIsWhole().catch(() => false)) await catalogue.retain(new Set(list.map(({ id }) => id)));
  }

  async close(): Promise<void> {
    this.#stopLooking();
    await Promise.allSettled([...this.#open].map(({ session }) => session.close()));
    this.#open.clear();
    await Promise.allSettled([...this.#servers.values()].map(({ catalogue }) => catalogue.settle()));
    this.#end.abort(new PosternError('USER_CANCELLED', { stage: 'gateway' }));
  }

  /** Errors: PROGRAM_UNKNOWN, PROGRAM_REVOKED, GATEWAY_BUSY. */
  async #admit(id: string | undefined, integration: string, name: string): Promise<ProgramRecord | undefined> {
    const { programs, allowUnknown } = this.#ports;
    const record = id === undefined ? undefined : (await programs.list()).find((program) => program.id === id);
    const detail = { name, program: record?.name ?? 'This program' };
    if (record?.revokedAt !== undefined) throw new PosternError('PROGRAM_REVOKED', { stage: 'gateway', detail });
    if (!allowUnknown && !mayUse(record, integration)) {
      throw new PosternError('PROGRAM_UNKNOWN', { stage: 'gateway', detail });
    }
    const own = [...this.#open].filter(({ program }) => program !== undefined && program.id === record?.id);
    if (this.#open.size >= gatewaySession.sessions || own.length >= gatewaySession.sessionsOfProgram) {
      throw new PosternError('GATEWAY_BUSY', { stage: 'gateway' });
    }
    return record;
  }

  #serve(integration: Integration): ServedServer {
    let server = this.#servers.get(integration.id);
    if (server) server.update(integration);
    else {
      server = new ServedServer(this.#ports, this.#ports.catalogue, integration, this.#end.signal);
      this.#servers.set(integration.id, server);
    }
    return server;
  }

  #newSession(server: ServedServer, send: Send): Session {
    const { clock } = this.#ports;
    const ended = new WeakSet<object>();
    const fetch = server.openFetch((failure: RequestFailure) => {
      if (failure.kind === 'session-ended') ended.add(failure.error);
    });
    const upstream: Upstream = new Upstream({
      url: storedAddress(server.integration),
      fetch,
      isEndedSession: (error) => error instanceof PosternError && ended.has(error),
      take: (message) => session.take(message),
      onReconnected: () => void session.announce(),
    });
    const session = new Session({
      clock,
      upstream,
      catalogue: server.catalogue,
      send,
      judge: (error) => judgeFailure(server.integration, error),
      parameterHeaders: (request, isAgain) => headersFor({ server, upstream, isAgain }, request),
      isOlder: () => server.integration.era === 'legacy',
      isNewer: () => server.integration.era === 'modern',
      onEra: (era) => void server.noteEra(era),
      onTools: (result) => server.parameters.learn(result),
    });
    return session;
  }

  /** A server that was away is looked for again now and then, as long as somebody waits for it. */
  #look(): void {
    this.#stopLooking = this.#ports.clock.after(gatewaySession.lookAgain, () => {
      if (this.#open.size > 0) void this.changed();
      for (const { session } of this.#open) if (session.isBehind) void session.catchUp();
      this.#look();
    });
  }
}

function mayUse(record: ProgramRecord | undefined, integration: string): boolean {
  return record !== undefined && record.revokedAt === undefined && record.integrations.includes(integration);
}
