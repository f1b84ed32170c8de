import { PosternError } from '../../errors/postern-error.ts';
import type { LocalHearing, LocalProcess } from '../../local-ports.ts';
import type { Clock } from '../../ports.ts';
import { textOf } from '../http/mcp-endpoint.ts';
import type { McpFetch, McpRequestInit } from '../http/mcp-endpoint.ts';
import { takeLine } from '../messages/message-body.ts';
import {
  AskedRequests,
  MessageOutlet,
  UnheardMessages,
  withOtherNames,
  withOwnNames,
} from '../messages/message-outlet.ts';
import type { AskedRequest, OwnNames } from '../messages/message-outlet.ts';
import { surveyJson, withIdAt } from '../messages/survey-json.ts';
import { sessionField } from '../sse/old-session.ts';

interface StdioOptions {
  /** Starts the server. Errors: PosternError. */
  readonly start: (hearing: LocalHearing, signal: AbortSignal) => Promise<LocalProcess>;
  readonly clock: Pick<Clock, 'after'>;
  /** The error for a request that has no answer in time. */
  readonly silent: () => PosternError;
}

export interface StdioTransport {
  readonly fetch: McpFetch;
  /** Ends the process: the next request starts another one. Never rejects. */
  restart(): Promise<void>;
  /** Ends it for good. Never rejects. */
  close(): Promise<void>;
}

/**
 * A fetch of one connection to a server that is a process of its own: whoever uses it speaks streamable HTTP. The
 * process is the session: it starts with the first request, and after its end all that names it is answered 404, so that
 * a new one is begun (MCP 2025-11-25, stdio; session management 3 and 4).
 */
export function stdioTransport({ start, clock, silent }: StdioOptions): StdioTransport {
  const end = new AbortController();
  let run: StdioRun | undefined;
  let starting: Promise<StdioRun> | undefined;

  async function begin(): Promise<StdioRun> {
    const begun = new StdioRun(() => {
      if (run === begun) run = undefined;
    });
    const process = await start(begun.hearing, end.signal);
    begun.begin(process);
    if (end.signal.aborted) {
      await begun.stop();
      throw end.signal.reason;
    }
    if (!begun.isOver) run = begun;
    return begun;
  }

  /** Whoever comes meanwhile waits for the same one. */
  async function running(): Promise<StdioRun> {
    if (run) return run;
    end.signal.throwIfAborted();
    starting ??= begin().finally(() => {
      starting = undefined;
    });
    return await starting;
  }

  /** One handshake has one process: a second one begins anew. */
  async function forHandshake(): Promise<StdioRun> {
    if (run?.isGreeted) {
      const before = run;
      run = undefined;
      void before.stop();
    }
    const greeted = await running();
    greeted.isGreeted = true;
    return greeted;
  }

  async function post(init: McpRequestInit, named: string | null): Promise<Response> {
    const text = textOf(init.body);
    const message = Buffer.from(text);
    const { id, hasMethod } = surveyJson(message);
    const line = text.replace(/[\r\n]+/gu, ' ');
    if (!hasMethod || id === undefined) {
      await run?.tell(line);
      return new Response(null, { status: 202 });
    }
    const current = named === null && beginsSession(text) ? await forHandshake() : await running();
    const outlet = await current.ask({ id, message, line }, init);
    if (!outlet) return new Response(null, { status: 400 });
    if (init.deadline !== undefined) {
      const stop = clock.after(init.deadline, () => outlet.end(silent()));
      void outlet.begun.then(stop);
    }
    return current.asStream(outlet);
  }

  return {
    async fetch(_address, init = {}) {
      const named = new Headers(init.headers).get(sessionField);
      if (named !== null && named !== run?.id) return new Response(null, { status: 404 });
      switch (init.method) {
        case 'POST':
          return await post(init, named);
        case 'DELETE':
          await run?.stop();
          return new Response(null, { status: 200 });
        default:
          return run && named !== null ? run.listen(init) : new Response(null, { status: 405 });
      }
    },
    async restart() {
      await run?.stop();
    },
    async close() {
      end.abort(new PosternError('USER_CANCELLED', { stage: 'local' }));
      await starting?.catch(() => {});
      await run?.stop();
    },
  };
}

function beginsSession(text: string): boolean {
  if (!/"initialize"/u.test(text)) return false;
  const message: unknown = JSON.parse(text);
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize';
}

/** One process of a server on this computer, as a session of streamable HTTP: each message goes to whoever asked. */
class StdioRun {
  readonly id = crypto.randomUUID();
  /** A handshake of the older wire has been sent: there is one for each process. */
  isGreeted = false;
  readonly #asked = new AskedRequests();
  readonly #unheard = new UnheardMessages();
  #listener: MessageOutlet | undefined;
  /** A request was given up that the server may still answer. */
  #hasGivenUp = false;
  #process: LocalProcess | undefined;
  #isOver = false;
  readonly #onOver: () => void;

  constructor(onOver: () => void) {
    this.#onOver = onOver;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  readonly hearing: LocalHearing = {
    onLine: (bytes) => takeLine(bytes, (message) => this.#take(message)),
    onTooLong: (beginning) => this.#refuseLong(beginning),
    onEnd: (error) => this.#end(error),
  };

  begin(process: LocalProcess): void {
    this.#process = process;
  }

  /** Sends what has no answer. */
  async tell(line: string): Promise<void> {
    await this.#process?.send(line);
  }

  /**
   * Sends a request; the answer is a stream with what comes for it. `undefined`: its id is under way already in this
   * session. The wire without sessions knows none: there two that have nothing to do with each other may have the same.
   */
  async ask(asking: Asking, { signal }: McpRequestInit): Promise<MessageOutlet | undefined> {
    const isUnderWay = this.#asked.has(asking.id);
    if (isUnderWay && this.isGreeted) return undefined;
    const { id, message, line, ownNames } = isUnderWay ? withNewNames(asking) : asking;
    const outlet = this.#openOutlet(signal, () => {
      // The older wire is told by whoever asked; the newer one knows the end of a stream alone (MCP 2026-07-28).
      if (!this.#asked.remove(id)) return;
      this.#hasGivenUp = true;
      if (!this.isGreeted && !this.#isOver) void this.#tellCancelled(id);
    });
    this.#asked.add({ id, ownNames, outlet, isHandshake: false }, message);
    await this.#process?.send(line);
    return outlet;
  }

  /** What the server sends by itself, for whoever listened last. */
  listen({ signal }: McpRequestInit): Response {
    this.#listener?.end();
    const outlet = this.#openOutlet(signal, () => {
      if (this.#listener === outlet) this.#listener = undefined;
    });
    this.#listener = outlet;
    return this.asStream(outlet);
  }

  asStream({ body }: MessageOutlet): Response {
    return new Response(body, { headers: { 'content-type': 'text/event-stream', [sessionField]: this.id } });
  }

  /** Never rejects. */
  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  async #take(data: Buffer): Promise<'message' | 'noise'> {
    const { id, idAt, hasId, isJson, hasMethod, hasResult, hasError } = surveyJson(data);
    if (!isJson || !(hasMethod || hasResult || hasError)) return 'noise';
    if (hasMethod) {
      await this.#passOther(data);
      return 'message';
    }
    const isUnnamed = !hasId || id === 'null';
    const asked = isUnnamed ? this.#takeOnly() : this.#asked.take(id ?? '');
    if (!asked) return 'message';
    const { outlet, ownNames } = asked;
    await outlet.put(ownNames ? withOwnNames(data, ownNames) : isUnnamed ? withIdAt(data, idAt, asked.id) : data);
    outlet.end();
    return 'message';
  }

  /** The one request that an answer without an id can be to, where there is one. */
  #takeOnly(): AskedRequest | undefined {
    const [only, ...others] = this.#asked.all();
    return only && others.length === 0 && !this.#hasGivenUp ? this.#asked.take(only.id) : undefined;
  }

  async #passOther(data: Buffer): Promise<void> {
    const outlet = this.#asked.outletOf(data, this.#listener);
    if (outlet) await outlet.put(this.#asked.inOwnNames(data));
    else this.#unheard.keep(data);
  }

  /** Whoever waits for it is told; of an answer whose id cannot be found nobody is. */
  #refuseLong(beginning: Buffer): void {
    const { id, hasMethod } = surveyJson(beginning);
    const asked = id === undefined || hasMethod ? undefined : this.#asked.take(id);
    asked?.outlet.add(tooLong(asked.ownNames?.id ?? asked.id));
    asked?.outlet.end();
  }

  #end(error: PosternError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { outlet } of this.#asked.all()) outlet.end(error);
    this.#listener?.end();
    this.#onOver();
  }

  async #tellCancelled(id: string): Promise<void> {
    await this.tell(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
  }

  #openOutlet(signal: McpRequestInit['signal'], onOver: () => void): MessageOutlet {
    const outlet = new MessageOutlet(signal, onOver);
    for (const message of this.#unheard.take()) outlet.add(message);
    return outlet;
  }
}

interface Asking {
  readonly id: string;
  readonly message: Buffer;
  /** The message on one line. */
  readonly line: string;
  readonly ownNames?: OwnNames;
}

/** An id that nobody else has. */
function withNewNames({ message }: Asking): Asking {
  const id = `postern:${crypto.randomUUID()}`;
  const { request, ownNames } = withOtherNames(message, id);
  return { id: JSON.stringify(id), message: request, line: request.toString('utf8'), ownNames };
}

function tooLong(id: string): Buffer {
  const error = { code: -32_603, message: 'The answer of this server is too long.' };
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);
}
