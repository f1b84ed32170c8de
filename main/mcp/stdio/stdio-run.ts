import type { LocalHearing, LocalProcess } from '../../local-ports.ts';
import type { PosternError } from '../../postern-error.ts';
import { AskedRequests } from '../http/asked-requests.ts';
import type { McpRequestInit } from '../http/mcp-endpoint.ts';
import { MessageOutlet } from '../messages/message-outlet.ts';
import { sessionField } from '../sse/old-session.ts';
import { surveyJson } from '../messages/survey-json.ts';
import { UnheardMessages } from '../http/unheard-messages.ts';

/** One process of a server on this computer, as a session of streamable HTTP: each message goes to whoever asked. */
export class StdioRun {
  readonly id = crypto.randomUUID();
  /** A handshake of the older wire has been sent: there is one for each process. */
  isGreeted = false;
  readonly #asked = new AskedRequests();
  readonly #unheard = new UnheardMessages();
  #listener: MessageOutlet | undefined;
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
    onLine: (bytes) => this.#take(bytes),
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

  /** Sends a request; the answer is a stream with what comes for it. `undefined`: its id is under way already. */
  async ask(id: string, line: string, { signal }: McpRequestInit): Promise<MessageOutlet | undefined> {
    // Nobody could tell their answers apart.
    if (this.#asked.has(id)) return undefined;
    const outlet = this.#openOutlet(signal, () => {
      // The older wire is told by whoever asked; the newer one knows the end of a stream alone (MCP 2026-07-28).
      if (this.#asked.remove(id) && !this.isGreeted && !this.#isOver) void this.#tellCancelled(id);
    });
    this.#asked.add({ id, outlet, isHandshake: false });
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
    const { id, isJson, hasMethod, hasResult, hasError } = surveyJson(data);
    if (!isJson || !(hasMethod || hasResult || hasError)) return 'noise';
    if (hasMethod) {
      await this.#passOther(data);
      return 'message';
    }
    const asked = id === undefined ? undefined : this.#asked.take(id);
    await asked?.outlet.put(data);
    asked?.outlet.end();
    return 'message';
  }

  async #passOther(data: Buffer): Promise<void> {
    const outlet = this.#listener ?? this.#asked.all().at(-1)?.outlet;
    if (outlet) await outlet.put(data);
    else this.#unheard.keep(data);
  }

  /** Whoever waits for it is told; of an answer whose id cannot be found nobody is. */
  #refuseLong(beginning: Buffer): void {
    const { id, hasMethod } = surveyJson(beginning);
    const asked = id === undefined || hasMethod ? undefined : this.#asked.take(id);
    asked?.outlet.add(tooLong(asked.id));
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

function tooLong(id: string): Buffer {
  const error = { code: -32_603, message: 'The answer of this server is too long.' };
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);
}
