import type { ProgramAnswer } from '../../gateway-ports.ts';
import { notificationText } from '../answers/answers.ts';
import { asEvent } from './http-answers.ts';
import type { HttpSession } from './http-session.ts';
import type { OpenOne, SessionRoom } from '../limits/session-room.ts';

/** The sessions of one program with one server by HTTP, by the ids that it was given. */
export class HttpSessions {
  readonly #room: SessionRoom;
  readonly #program: string;
  readonly #sessions = new Map<string, { readonly session: HttpSession; readonly place: OpenOne }>();
  /** Streams that the program listens on while the server has none for it. */
  readonly #listening = new Map<HttpSession, ReadableStreamDefaultController<Uint8Array>>();

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

  /** Errors: GATEWAY_BUSY; then it has been ended at the server. */
  add(session: HttpSession): void {
    if (this.#sessions.has(session.id)) return;
    const end = (): void => {
      this.delete(session);
      void session.end();
    };
    const place = { program: this.#program, end };
    try {
      this.#room.enter(place);
    } catch (error) {
      void session.end();
      throw error;
    }
    this.#sessions.set(session.id, { session, place });
  }

  delete(session: HttpSession): void {
    const open = this.#sessions.get(session.id);
    if (open) this.#room.leave(open.place);
    this.#sessions.delete(session.id);
    this.#listening.delete(session);
  }

  /** A stream of ours until the server is there again, so that the program can be told. */
  holdStream(session: HttpSession): ProgramAnswer {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void this.#listening.set(session, controller),
      cancel: () => void this.#listening.delete(session),
    });
    return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
  }

  /** Connects those that were told something without the server, and has them ask again. Never rejects. */
  async catchUp(): Promise<void> {
    for (const { session } of this.#sessions.values()) {
      if (!session.isBehind) continue;
      try {
        await session.connect();
      } catch {
        continue;
      }
      session.isBehind = false;
      this.#listening.get(session)?.enqueue(asEvent(notificationText('notifications/tools/list_changed')));
    }
  }

  /** Ends them here and at the server. Never rejects. */
  async close(): Promise<void> {
    for (const stream of this.#listening.values()) stream.close();
    this.#listening.clear();
    const sessions = [...this.#sessions.values()].map(({ session }) => session);
    for (const session of sessions) this.delete(session);
    await Promise.allSettled(sessions.map((session) => session.end()));
  }
}
