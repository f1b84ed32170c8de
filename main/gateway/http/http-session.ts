import { PosternError } from '../../errors/postern-error.ts';
import { notificationText } from '../answers/answers.ts';
import { Places } from '../limits/message-budget.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import type { OpenOne, SessionRoom } from '../limits/session-room.ts';
import { changesOf } from '../messages/catalogue.ts';
import type { AnswerEnvelope, RequestEnvelope } from '../messages/envelope.ts';
import { ListCursors } from '../server/list-cursors.ts';
import { Behind } from '../session/session-ports.ts';
import { ProgramStream, whenGone } from './app-stream.ts';
import { ServerSession } from './server-session.ts';
import type { ServerSessionOptions } from './server-session.ts';

/**
 * A session of the older wire by HTTP, as its program has it. Its id is ours, so that it can begin before the server
 * has one, and go on with another one.
 */
export class HttpSession {
  readonly id: string;
  readonly server: ServerSession;
  /** Of its requests. */
  readonly places: Places;
  /** Ids of those that have left for the server, and are not answered. */
  readonly hasLeft = new Set<string>();
  readonly behind = new Behind();
  readonly stream = new ProgramStream();
  readonly #lists = new ListCursors();
  #reaching: Promise<void> | undefined;
  /** Streams that wait for the server. */
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  /** `admit`: before anything of the program goes to the server. */
  constructor(
    id: string,
    initialize: RequestEnvelope,
    { budget, ...options }: Omit<ServerSessionOptions, 'initialize' | 'onReady'> & { readonly budget: AppBudget },
  ) {
    this.id = id;
    this.places = new Places(budget);
    this.server = new ServerSession({ ...options, initialize, onReady: () => this.#noteReached() });
  }

  get isReady(): boolean {
    return this.server.isReady;
  }

  /** Ended by its program, or for another one. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when the server is there the next time, after it was not; never once nobody waits any more. */
  readonly reached = (signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    whenGone(signal, () => this.#waiting.delete(resolve));
    return promise;
  };

  /** Begins it at the server where that has not come about. Errors: PosternError. */
  async connect(): Promise<void> {
    if (await this.server.connect()) this.announce();
  }

  /**
   * Sends a request: `ready` opens what is not there, judges, and answers what sends it. A session that the server has
   * forgotten is begun again and the request sent once more (MCP 2025-11-25, session management 4). Errors: those of
   * `ready`, SESSION_LOST where that one is forgotten too, LostCursor.
   */
  async request(request: RequestEnvelope, ready: () => Promise<() => Promise<Response>>): Promise<Response> {
    for (let tries = 0; tries < 2; tries += 1) {
      const send = await ready();
      this.#lists.check(request, this.server.begun);
      const response = await this.server.inSession(send);
      if (response) return response;
    }
    throw new PosternError('SESSION_LOST', { stage: 'gateway' });
  }

  /** Finds out whether the server is there, and says then what may have changed. Errors: PosternError. */
  async reach(): Promise<void> {
    this.#reaching ??= this.server.reach().finally(() => {
      this.#reaching = undefined;
    });
    await this.#reaching;
    this.announce();
  }

  /** The server itself has answered. */
  noteAnswer(request: RequestEnvelope, answer: AnswerEnvelope): void {
    this.#tell(this.behind.noteAnswer(request, answer));
  }

  /** Has the program ask again for what it was told without the server, or could not be told. */
  announce(): void {
    this.#tell(this.behind.end());
    this.#noteReached();
  }

  /** The person has changed which tools the program may call. */
  tellToolsChanged(): void {
    this.#tell(this.behind.toolsChanged());
  }

  /** Has the program ask for this list again. */
  tellChanged(method: string): void {
    this.#tell(changesOf([method]));
  }

  /** Ends it here. */
  close(): void {
    this.#isOver = true;
    this.server.close();
    this.#waiting.clear();
    this.stream.close();
  }

  #noteReached(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #tell(changes: Iterable<string>): void {
    for (const change of changes) this.stream.tellChange(notificationText(change));
  }
}

/** The sessions of one program with one server by HTTP, by the ids that it was given. */
export class HttpSessions {
  readonly #room: SessionRoom;
  readonly #program: string;
  readonly #sessions = new Map<string, { readonly session: HttpSession; readonly place: OpenOne }>();

  /** `program`: id of its record. */
  constructor(room: SessionRoom, program: string) {
    this.#room = room;
    this.#program = program;
  }

  /** The session with this id, which then is the one that was used last. */
  get(id: string): HttpSession | undefined {
    const open = this.#sessions.get(id);
    if (open) this.#room.touch(open.place);
    return open?.session;
  }

  /** One that is over does not come back. Errors: GATEWAY_BUSY; then it has been ended at the server. */
  add(session: HttpSession): void {
    if (session.isOver || this.#sessions.has(session.id)) return;
    const end = (): void => {
      this.delete(session);
      void session.server.end();
    };
    const place = { program: this.#program, end };
    try {
      this.#room.enter(place);
    } catch (error) {
      void session.server.end();
      throw error;
    }
    this.#sessions.set(session.id, { session, place });
  }

  delete(session: HttpSession): void {
    const open = this.#sessions.get(session.id);
    if (open) this.#room.leave(open.place);
    this.#sessions.delete(session.id);
    session.close();
  }

  tellToolsChanged(): void {
    for (const { session } of this.#sessions.values()) session.tellToolsChanged();
  }

  /** Those that were told something without the server ask it again. Never rejects. */
  async catchUp(): Promise<void> {
    const behind = [...this.#sessions.values()].filter(({ session }) => session.behind.is);
    await Promise.allSettled(behind.map(({ session }) => session.reach()));
  }

  /** Ends them here and at the server. Never rejects. */
  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()].map(({ session }) => session);
    for (const session of sessions) this.delete(session);
    await Promise.allSettled(sessions.map((session) => session.server.end()));
  }
}
