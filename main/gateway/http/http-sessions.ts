import type { HttpSession } from './http-session.ts';
import type { OpenOne, SessionRoom } from '../limits/session-room.ts';

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
