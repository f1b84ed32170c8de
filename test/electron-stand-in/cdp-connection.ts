import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** A message of Chrome's protocol; each caller knows the part that it reads. */
// oxlint-disable-next-line typescript/no-explicit-any -- the protocol has no types in this project, and hundreds of shapes
export type CdpParams = Record<string, any>;

interface Message extends CdpParams {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
}

/** Sends commands and emits the protocol's events as `(params)` under their names. */
export class CdpSession extends EventEmitter {
  readonly id: string | undefined;
  readonly #send: (method: string, params: CdpParams) => Promise<CdpParams>;

  constructor(id: string | undefined, send: (method: string, params: CdpParams) => Promise<CdpParams>) {
    super();
    this.setMaxListeners(0);
    this.id = id;
    this.#send = send;
  }

  /** Rejects with Chrome's error, or if the connection or target is gone. */
  send(method: string, params: CdpParams = {}): Promise<CdpParams> {
    return this.#send(method, params);
  }

  /** For commands that do not matter once the target is gone. */
  post(method: string, params: CdpParams = {}): void {
    this.#send(method, params).catch(() => {});
  }
}

/** Chrome's protocol over `--remote-debugging-pipe`: JSON messages that end with NUL; one session per target. */
export class CdpConnection extends CdpSession {
  readonly #sessions = new Map<string, CdpSession>();
  readonly #pending: Map<number, { sessionId: string | undefined; settle: (message: Message) => void }>;
  readonly #write: (method: string, params: CdpParams, sessionId?: string) => Promise<CdpParams>;

  constructor(output: Writable, input: Readable) {
    const pending = new Map<number, { sessionId: string | undefined; settle: (message: Message) => void }>();
    let nextId = 1;
    let closed = false;
    const write = (method: string, params: CdpParams, sessionId?: string): Promise<CdpParams> =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error(`${method}: the browser is gone`));
        const id = nextId++;
        const settle = ({ result, error }: Message): void =>
          error === undefined ? resolve(result as CdpParams) : reject(new Error(`${method}: ${String(error.message)}`));
        pending.set(id, { sessionId, settle });
        output.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
      });
    super(undefined, write);
    this.#pending = pending;
    this.#write = write;
    const parts: string[] = [];
    input.setEncoding('utf8').on('data', (text: string) => {
      const pieces = text.split('\0');
      while (pieces.length > 1) {
        parts.push(pieces.shift() ?? '');
        this.#receive(JSON.parse(parts.splice(0).join('')) as Message);
      }
      parts.push(pieces[0] ?? '');
    });
    output.on('error', () => {});
    input.on('error', () => {});
    input.on('close', () => {
      closed = true;
      for (const { settle } of pending.values()) settle({ error: { message: 'the browser is gone' } });
      pending.clear();
      this.emit('disconnected');
    });
  }

  /** The session of an attached target; removed when the target detaches. */
  session(id: string): CdpSession {
    const known = this.#sessions.get(id);
    if (known) return known;
    const session = new CdpSession(id, (method, params) => this.#write(method, params, id));
    this.#sessions.set(id, session);
    return session;
  }

  #receive(message: Message): void {
    if (message.id !== undefined) {
      const waiting = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      waiting?.settle(message);
      return;
    }
    const { method = '', params = {}, sessionId } = message;
    (sessionId === undefined ? this : this.session(sessionId)).emit(method, params);
    if (method === 'Target.detachedFromTarget') this.#forget(String(params['sessionId']));
  }

  #forget(sessionId: string): void {
    this.#sessions.get(sessionId)?.emit('detached');
    this.#sessions.delete(sessionId);
    for (const [id, waiting] of this.#pending) {
      if (waiting.sessionId !== sessionId) continue;
      this.#pending.delete(id);
      waiting.settle({ error: { message: 'the page is gone' } });
    }
  }
}
