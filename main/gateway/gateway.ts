import type { Collection } from '../../shared/collection.ts';
import { collectionNamed, collectionReference, titleOf } from '../../shared/entry-name.ts';
import type { Integration } from '../../shared/integration.ts';
import type { ProgramRecord } from '../../shared/program-record.ts';
import type { Settings } from '../../shared/settings.ts';
import { displayText } from '../address/display-text.ts';
import { findIntegration } from '../engine/kept/find-integration.ts';
import { PosternError } from '../errors/postern-error.ts';
import { pipeProtocol } from '../gateway-ports.ts';
import type { Admission, Hello, ProgramLine, ProgramSession } from '../gateway-ports.ts';
import { displayNameLength, gatewaySession } from '../limits.ts';
import { CallLog } from './answers/call-log.ts';
import type { Caller } from './answers/call-log.ts';
import { refusalFor } from './answers/judge-failure.ts';
import { ProgramOfCollection } from './collection/app-of-collection.ts';
import { OpenCollections } from './collection/open-collections.ts';
import type { OpenCollectionsPorts } from './collection/open-collections.ts';
import type { GatewayPorts } from './gateway-ports.ts';
import { HttpPrograms } from './http/http-programs.ts';
import { MessageBudget } from './limits/message-budget.ts';
import { Bystanders, SessionRoom } from './limits/session-room.ts';
import {
  admit,
  askForUse,
  canAsk,
  findById,
  isRecordId,
  mayGoOn,
  PausedPrograms,
} from './permissions/program-access.ts';
import type { Admitted } from './permissions/program-access.ts';
import { ServedServer } from './server/served-server.ts';
import type { ServedPorts } from './server/served-server.ts';
import { openSession } from './session/open-session.ts';
import type { OpenLine } from './session/open-session.ts';
import { RefusedSession, WaitingSession } from './session/waiting-session.ts';

/** Serves programs: each session is one of them with one server, and shares nothing with others but the sign-in. */
export class Gateway {
  readonly #ports: GatewayPorts & Pick<ServedPorts, 'changedTools'>;
  readonly #servers = new Map<string, ServedServer>();
  readonly #open = new Set<OpenLine>();
  readonly #byHttp: HttpPrograms;
  readonly #around: OpenCollectionsPorts;
  readonly #collections: OpenCollections;
  readonly #bystanders: Bystanders;
  readonly #end = new AbortController();
  readonly #known: KnownList;
  #paused = new PausedPrograms({});
  #stopLooking: () => void = () => {};

  constructor(ports: GatewayPorts) {
    this.#known = new KnownList(ports);
    this.#ports = { ...ports, changedTools: () => this.#known.changedTools };
    this.#bystanders = new Bystanders(ports.clock);
    this.#around = {
      ...ports,
      room: new SessionRoom(),
      budget: new MessageBudget(),
      serve: (integration) => this.#serve(integration),
      paused: () => this.#paused,
      lines: this.#open,
    };
    this.#collections = new OpenCollections(this.#around);
    this.#byHttp = new HttpPrograms({ ...this.#around, collections: this.#collections });
    this.#look();
  }

  /** Those at the socket. */
  get sessions(): number {
    return [...this.#open].filter(({ isAtSocket }) => isAtSocket).length;
  }

  /** Whether a program has used it since the last look: a session at the socket, a request by HTTP. */
  takeUse(): boolean {
    // A session by HTTP is no sign: many programs never end one.
    const isAtSocket = [...this.#open].some((open) => open.isAtSocket) || this.#collections.isUsed;
    return this.#byHttp.takeUse() || isAtSocket;
  }

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return [...this.#open].every(({ session }) => session.isIdle);
  }

  /** Begins a session. A reason against it is answered within it, so that programs show it. Never rejects. */
  async open(hello: Hello, line: ProgramLine): Promise<ProgramSession> {
    return await beginSession({ ...this.#around, bystanders: this.#bystanders, open: this.#collections }, hello, line);
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
    const isAllowed = ({ id }: ProgramRecord, right: string, isOnce: boolean): boolean =>
      mayGoOn(findById(records, id), right, isOnce);
    for (const { line, right, program, isOnce } of this.#open)
      if (program && !isAllowed(program, right, isOnce)) line.hangUp();
    this.#collections.retain(isAllowed);
    this.#byHttp.retain(isAllowed);
    for (const [id, server] of this.#servers) {
      const current = list.find((integration) => integration.id === id);
      if (!this.#update(server, current)) this.#catchUp(server, (program) => before.has(program));
    }
    await this.#collections.changed(list);
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
    await Promise.allSettled(
      [...this.#servers.values()].flatMap(({ catalogue, noted }) => [catalogue.settle(), noted]),
    );
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
    for (const { server: its, session, program, mayBeLeft } of this.#open) {
      const isWaiting = !mayBeLeft || session.isBehind;
      if (its === server && isWaiting && isConcerned(program) && !this.#paused.has(program))
        void session.catchUp('signed-in');
    }
  }

  /** Looks for a server that was away now and then, as long as somebody waits for it. */
  #look(): void {
    this.#stopLooking = this.#ports.clock.after(gatewaySession.lookAgain, () => {
      if (this.#open.size > 0 || !this.#byHttp.isEmpty || !this.#collections.isEmpty) void this.changed();
      for (const { session, program } of this.#open)
        if (session.isBehind && !this.#paused.has(program)) void session.catchUp('perhaps');
      this.#look();
    });
  }
}

interface Known {
  readonly list: readonly Integration[];
  readonly records: readonly ProgramRecord[];
  readonly settings: Settings;
}

/** What the settings file tells the gateway, whichever process wrote it. */
class KnownList {
  readonly #ports: Pick<GatewayPorts, 'store' | 'programs' | 'catalogue'>;
  #begun = 0;
  #newest = 0;
  /** What becomes of changed tools, where a server has no choice of its own. */
  changedTools: Settings['changedTools'];

  constructor(ports: Pick<GatewayPorts, 'store' | 'programs' | 'catalogue'>) {
    this.#ports = ports;
  }

  /** Nothing where it cannot be read, or where a reading that began later was faster and knows more. Never rejects. */
  async read(): Promise<Partial<Known>> {
    const { store, programs } = this.#ports;
    const own = (this.#begun += 1);
    try {
      const [list, records, settings] = await Promise.all([store.list(), programs.list(), store.settings()]);
      if (own < this.#newest) return {};
      this.#newest = own;
      this.changedTools = settings.changedTools;
      return { list, records, settings };
    } catch {
      return {};
    }
  }

  /**
   * Forgets what other servers said of themselves than those of this `list`, and those that can still come back, as far
   * as all of them can be known. Never rejects.
   */
  async forgetOthers(list: readonly Integration[]): Promise<void> {
    const { store, catalogue } = this.#ports;
    try {
      const leaving = (await store.pendingDeletions()).map(({ integration }) => integration);
      // Read again: one may have come back meanwhile.
      const all = [...list, ...leaving, ...(await store.list())];
      if (await store.listIsWhole()) await catalogue.retain(new Set(all.map(({ id }) => id)));
    } catch {
      // Next time.
    }
  }
}

export interface BeginPorts extends OpenCollectionsPorts {
  readonly bystanders: Bystanders;
  readonly open: OpenCollections;
}

/** What a program asks for, with what it has to be allowed. */
type Target = { readonly right: Pick<Integration, 'id' | 'name'> } & (
  | { readonly kind: 'server'; readonly integration: Integration }
  | { readonly kind: 'collection'; readonly collection: Collection }
);

interface Beginning extends Admitted {
  readonly record: ProgramRecord | undefined;
  readonly line: ProgramLine;
}

/**
 * Begins a session at the socket. `ownNames`: what the program says it is; without them a person who has to be asked is
 * asked later. A reason against it is answered within the session. Never rejects.
 */
export async function beginSession(
  ports: BeginPorts,
  hello: Hello,
  line: ProgramLine,
  ownNames?: readonly string[],
): Promise<ProgramSession> {
  const { server: reference, program: recordId, parent } = hello;
  const name = displayText(reference, displayNameLength);
  // Whoever may use nothing yet shares one part with all others.
  const strangers = ports.budget.of(undefined);
  let caller: Caller = { program: undefined, server: { integration: { name } } };
  try {
    if (hello.protocol !== pipeProtocol) throw new PosternError('PIPE_OUTDATED', { stage: 'gateway' });
    const target = await findTarget(ports, reference);
    const record = findById(await ports.programs.list(), recordId);
    const integration = target.kind === 'server' ? target.integration : { name: target.right.name };
    caller = { program: record?.program, server: { integration } };
    const isAsked = !ports.paused().has(record) && canAsk(ports, record, target.right);
    if (isAsked && !ownNames)
      return new WaitingSession(
        { line, reading: strangers.openReading(line.hangUp) },
        recordId,
        ports.bystanders,
        (said) => beginSession(ports, hello, line, said),
      );
    const entry = recordId !== undefined && isRecordId(recordId) ? recordId : undefined;
    const admitted = isAsked
      ? await askForUse(ports, { record, entry, ownNames: ownNames ?? [], parent, integration: target.right })
      : { program: admit(record, target.right, ports), isOnce: false };
    const beginning = { ...admitted, record, line };
    return target.kind === 'server'
      ? openServer(ports, target.integration, beginning)
      : await openCollection(ports, target.collection, beginning);
  } catch (error) {
    ports.onSession({ state: 'refused', program: recordId, integration: reference });
    const thrown = error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'gateway' });
    const refusal = refusalFor(thrown, { name, reference: name, command: ports.command });
    const reading = strangers.openReading(line.hangUp);
    const leave = ports.bystanders.enter(recordId, line.hangUp);
    return new RefusedSession(refusal, { send: line.send, calls: new CallLog(ports, caller), leave, reading });
  }
}

/** Errors: NOT_FOUND, CFG_*. */
async function findTarget({ store, open }: BeginPorts, reference: string): Promise<Target> {
  const name = collectionNamed(reference);
  if (name === undefined) {
    // Entries keep the alias: a server that gets the same name later takes nothing over.
    const known = (await store.list()).find(({ alias }) => alias === reference);
    const integration = known ?? (await findIntegration(store, reference));
    return { kind: 'server', integration, right: integration };
  }
  const collection = await open.find(name);
  if (!collection) {
    const detail = { count: 0, collection: displayText(name, displayNameLength) };
    throw new PosternError('NOT_FOUND', { stage: 'gateway', detail });
  }
  return { kind: 'collection', collection, right: { id: collectionReference(collection), name: titleOf(collection) } };
}

/** Errors: GATEWAY_BUSY. */
function openServer(ports: BeginPorts, integration: Integration, beginning: Beginning): ProgramSession {
  const { onSession, budget } = ports;
  const { program, record, isOnce, line } = beginning;
  const told = { program: program?.name, integration: integration.id };
  const { send, giveBack, hangUp } = line;
  const app = { program, record, right: integration.id, isOnce, isAtSocket: true, send, giveBack, hangUp };
  const onClosed = (): void => onSession({ state: 'closed', ...told });
  const reading = budget.of(program?.id).openReading(hangUp);
  const session = openSession(ports, ports.serve(integration), { ...app, onClosed }, reading);
  onSession({ state: 'open', ...told });
  return session;
}

/** Its members take their places when they are needed. Errors: CFG_*. */
async function openCollection(
  { open, onSession, budget }: BeginPorts,
  collection: Collection,
  { program, record, isOnce, line }: Beginning,
): Promise<ProgramSession> {
  const told = { program: program?.name, integration: collectionReference(collection) };
  const { send, giveBack, hangUp } = line;
  const session = await ProgramOfCollection.open(
    (way) => open.open(collection, { ...way, program, record, isOnce, hangUp, isAtSocket: true }),
    {
      send,
      giveBack,
      reading: budget.of(program?.id).openReading(hangUp),
      newId: open.newId,
      refuse: open.refuses(collection),
      close: async (ended) => {
        if (await open.close(ended)) onSession({ state: 'closed', ...told });
      },
    },
  );
  onSession({ state: 'open', ...told });
  return session;
}
