import type { Integration } from '../../shared/integration.ts';
import type { ProgramRecord } from '../../shared/program-record.ts';
import { findIntegration } from '../integration/kept/find-integration.ts';
import { displayText } from '../address/display-text.ts';
import { displayNameLength, gatewaySession } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import { pipeProtocol } from '../gateway-ports.ts';
import type { Admission, Hello, ProgramLine, ProgramSession } from '../gateway-ports.ts';
import { askForUse, canAsk } from './access/ask-for-use.ts';
import { Bystanders } from './limits/bystanders.ts';
import { CallLog } from './log/call-log.ts';
import type { Caller } from './log/call-log.ts';
import type { GatewayPorts } from './gateway-around.ts';
import { HttpPrograms } from './http/http-programs.ts';
import { refusalFor } from './answers/judge-failure.ts';
import { asProgramSession, openSession } from './session/open-session.ts';
import type { OpenLine } from './open-line.ts';
import { PausedPrograms } from './access/paused-programs.ts';
import { admit, findById, isRecordId, mayGoOn } from './access/program-access.ts';
import { RefusedSession } from './session/refused-session.ts';
import { type ServedPorts, ServedServer } from './server/served-server.ts';
import { KnownList } from './server/known-list.ts';
import { SessionRoom } from './limits/session-room.ts';
import { WaitingSession } from './session/waiting-session.ts';

/** Serves programs: each session is one of them with one server, and shares nothing with others but the sign-in. */
export class Gateway {
  readonly #ports: GatewayPorts & Pick<ServedPorts, 'changedTools'>;
  readonly #servers = new Map<string, ServedServer>();
  readonly #open = new Set<OpenLine>();
  readonly #byHttp: HttpPrograms;
  readonly #room = new SessionRoom();
  readonly #bystanders: Bystanders;
  readonly #end = new AbortController();
  readonly #known: KnownList;
  #paused = new PausedPrograms({});
  #stopLooking: () => void = () => {};

  constructor(ports: GatewayPorts) {
    this.#known = new KnownList(ports);
    this.#ports = { ...ports, changedTools: () => this.#known.changedTools };
    this.#bystanders = new Bystanders(ports.clock);
    this.#byHttp = new HttpPrograms({
      ...ports,
      room: this.#room,
      serve: (integration) => this.#serve(integration),
      paused: () => this.#paused,
    });
    this.#look();
  }

  get sessions(): number {
    return this.#open.size;
  }

  /** Whether a program has used it since the last look: a session at the socket, a request by HTTP. */
  takeUse(): boolean {
    // A session by HTTP is no sign: many programs never end one.
    return this.#byHttp.takeUse() || this.#open.size > 0;
  }

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return [...this.#open].every(({ session }) => session.isIdle);
  }

  /** Begins a session. A reason against it is answered within it, so that programs show it. Never rejects. */
  async open(hello: Hello, line: ProgramLine): Promise<ProgramSession> {
    return await this.#begin(hello, line);
  }

  /** `ownNames`: what the program says it is. Without them a person who has to be asked is asked later. */
  async #begin(hello: Hello, line: ProgramLine, ownNames?: readonly string[]): Promise<ProgramSession> {
    const { server: reference, program: recordId, parent } = hello;
    const { clock, onSession } = this.#ports;
    const name = displayText(reference, displayNameLength);
    let caller: Caller = { program: undefined, server: { integration: { name } } };
    try {
      if (hello.protocol !== pipeProtocol) throw new PosternError('PIPE_OUTDATED', { stage: 'gateway' });
      // Entries keep the alias: a server that gets the same name later takes nothing over.
      const known = (await this.#ports.store.list()).find(({ alias }) => alias === reference);
      const integration = known ?? (await findIntegration(this.#ports.store, reference));
      const record = findById(await this.#ports.programs.list(), recordId);
      caller = { program: record?.program, server: { integration } };
      const isAsked = !this.#paused.has(record) && canAsk(this.#ports, record, integration);
      if (isAsked && !ownNames)
        return new WaitingSession(line, recordId, this.#bystanders, (said) => this.#begin(hello, line, said));
      const entry = recordId !== undefined && isRecordId(recordId) ? recordId : undefined;
      const { program, isOnce } = isAsked
        ? await askForUse(this.#ports, { record, entry, ownNames: ownNames ?? [], parent, integration })
        : { program: admit(record, integration, this.#ports), isOnce: false };
      const place = { program: program?.id };
      this.#room.enter(place);
      const server = this.#serve(integration);
      const calls = new CallLog(this.#ports, { program: record?.program, server });
      const opened = openSession(server, {
        calls,
        clock,
        program,
        admit: () => this.#paused.admit(program),
        send: line.send,
        giveBack: line.giveBack,
      });
      const { session } = opened;
      const open: OpenLine = { line, session, server, program, isOnce };
      this.#open.add(open);
      const told = { program: program?.name, integration: integration.id };
      onSession({ state: 'open', ...told });
      return asProgramSession(opened, async () => {
        if (!this.#open.delete(open)) return;
        this.#room.leave(place);
        await session.close();
        onSession({ state: 'closed', ...told });
      });
    } catch (error) {
      onSession({ state: 'refused', program: recordId, integration: reference });
      const thrown = error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'gateway' });
      const refusal = refusalFor(thrown, { name, reference: name, command: this.#ports.command });
      const leave = this.#bystanders.enter(recordId, line.hangUp);
      return new RefusedSession(refusal, { send: line.send, calls: new CallLog(this.#ports, caller), leave });
    }
  }

  /** Who a secret belongs to, and whether that program may use this server. Never rejects. */
  admitBearer(secret: string, reference: string): Promise<Admission> {
    return this.#byHttp.admit(secret, reference);
  }

  /** The list was changed, by whichever process. Never rejects. */
  async changed(): Promise<void> {
    this.#byHttp.forgetAdmissions();
    const { list, records = [], settings = {} } = await this.#known.read();
    if (!list) return;
    const before = this.#paused;
    this.#paused = new PausedPrograms(settings);
    const isAllowed = ({ id }: ProgramRecord, { integration }: ServedServer, isOnce: boolean): boolean =>
      mayGoOn(findById(records, id), integration.id, isOnce);
    for (const { line, server, program, isOnce } of this.#open)
      if (program && !isAllowed(program, server, isOnce)) line.hangUp();
    this.#byHttp.retain(isAllowed);
    for (const [id, server] of this.#servers) {
      const current = list.find((integration) => integration.id === id);
      if (!this.#update(server, current)) this.#catchUp(server, (program) => before.has(program));
    }
    await this.#known.forgetOthers(list);
  }

  /** A server may answer again, of which the list says nothing. */
  lookAgain(id: string): void {
    const server = this.#servers.get(id);
    if (server) this.#catchUp(server);
  }

  async close(): Promise<void> {
    this.#stopLooking();
    await this.#byHttp.close();
    await Promise.allSettled([...this.#open].map(({ session }) => session.close()));
    this.#open.clear();
    await Promise.allSettled([...this.#servers.values()].map(({ catalogue }) => catalogue.settle()));
    this.#end.abort(new PosternError('USER_CANCELLED', { stage: 'gateway' }));
  }

  #serve(integration: Integration): ServedServer {
    let server = this.#servers.get(integration.id);
    if (server) this.#update(server, integration);
    else {
      server = new ServedServer(this.#ports, this.#ports.catalogue, integration, this.#end.signal);
      this.#servers.set(integration.id, server);
    }
    return server;
  }

  /** Takes what the list says now; whoever waits for a sign-in hears of it. Answers whether there was one. */
  #update(server: ServedServer, integration: Integration | undefined): boolean {
    if (!server.update(integration)) return false;
    if (server.integration.state === 'integrated') this.#ports.onSignedIn?.(server.integration.id);
    this.#catchUp(server);
    return true;
  }

  /** Nothing is asked for a program that is paused. */
  #catchUp(server: ServedServer, isConcerned: (program: ProgramRecord | undefined) => boolean = () => true): void {
    if (server.integration.state !== 'integrated') return;
    for (const { server: its, session, program } of this.#open)
      if (its === server && isConcerned(program) && !this.#paused.has(program)) void session.catchUp('signed-in');
    this.#byHttp.catchUp((its, program) => its === server && isConcerned(program));
  }

  /** Looks for a server that was away now and then, as long as somebody waits for it. */
  #look(): void {
    this.#stopLooking = this.#ports.clock.after(gatewaySession.lookAgain, () => {
      if (this.#open.size > 0 || !this.#byHttp.isEmpty) void this.changed();
      for (const { session, program } of this.#open)
        if (session.isBehind && !this.#paused.has(program)) void session.catchUp('perhaps');
      this.#byHttp.catchUp();
      this.#look();
    });
  }
}
