import { gatewaySession } from '../limits.ts';
import type { ProgramAnswer } from '../gateway-ports.ts';
import { notificationText } from './answers.ts';
import { asEvent } from './http-answers.ts';
import type { HttpSession } from './http-session.ts';

/** The sessions of one program that speaks HTTP, by the ids that it was given. */
export class HttpSessions {
  readonly #sessions = new Map<string, HttpSession>();
  /** Streams that the program listens on while the server has none for it. */
  readonly #listening = new Map<HttpSession, ReadableStreamDefaultController<Uint8Array>>();

  /** The session with this id, which then is the one that was used last. */
  get(id: string): HttpSession | undefined {
    const session = this.#sessions.get(id);
    if (session) this.add(session);
    return session;
  }

  /** Many programs never end one: of too many the one goes that was not used for longest. */
  add(session: HttpSession): void {
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
    const [oldest] = this.#sessions.values();
    if (!oldest || this.#sessions.size <= gatewaySession.sessionsOfProgram) return;
    this.delete(oldest);
    void oldest.end();
  }

  delete(session: HttpSession): void {
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
    for (const session of this.#sessions.values()) {
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
    await Promise.allSettled([...this.#sessions.values()].map((session) => session.end()));
    this.#sessions.clear();
  }
}
