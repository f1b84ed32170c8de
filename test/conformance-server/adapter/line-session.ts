import type { ServerResponse } from 'node:http';
import { startLineCommand } from './line-command.ts';
import type { LineCommand } from './line-command.ts';
import { Reply } from './reply.ts';

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly progressToken?: unknown;
  };
  readonly error?: { readonly code?: unknown };
}

interface Waiting {
  readonly id: Message['id'];
  readonly progressToken: unknown;
  readonly reply: Reply;
}

export interface LineSessionOptions {
  readonly command: readonly string[];
  /** Requests of several clients: each gets one of our IDs, and ends when its client disconnects. */
  readonly isShared: boolean;
  readonly onEnd: () => void;
}

const subscription = 'io.modelcontextprotocol/subscriptionId';

/**
 * One command and the requests waiting for its lines. A line does not say which request it belongs to: that is guessed.
 */
export class LineSession {
  readonly #options: LineSessionOptions;
  readonly #command: LineCommand;
  readonly #waiting = new Map<Message['id'], Waiting>();
  #listener: Reply | undefined;
  #lastId = 0;

  constructor(options: LineSessionOptions) {
    this.#options = options;
    this.#command = startLineCommand(options.command, {
      onLine: (line) => this.#take(line),
      onEnd: () => this.#end(),
    });
  }

  post(text: string, message: Message, response: ServerResponse): void {
    if (message.method === undefined || message.id === undefined) {
      this.#command.write(onOneLine(text));
      return void response.writeHead(202).end();
    }
    const { isShared } = this.#options;
    const id = isShared ? (this.#lastId += 1) : message.id;
    const progressToken = message.params?._meta?.['progressToken'];
    this.#waiting.set(id, { id: message.id, progressToken, reply: new Reply(response, isShared) });
    response.once('close', () => {
      if (!this.#waiting.delete(id) || !isShared) return;
      this.#command.write(
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }),
      );
    });
    this.#command.write(isShared ? JSON.stringify({ ...message, id }) : onOneLine(text));
  }

  /** The stream for messages that come while no request waits. */
  listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    this.#listener = new Reply(response, false);
  }

  end(): void {
    this.#command.end();
  }

  #take(line: string): void {
    const message = JSON.parse(line) as Message;
    if (message.method !== undefined) return this.#send(line, message);
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    waiting.reply.answer(this.#withId(line, message, waiting.id), message.error?.code);
  }

  #send(line: string, message: Message): void {
    const { params } = message;
    const all = [...this.#waiting.values()];
    const subscribed = this.#waiting.get(params?._meta?.[subscription] as Message['id']);
    if (subscribed && this.#options.isShared) {
      const _meta = { ...params?._meta, [subscription]: subscribed.id };
      return subscribed.reply.send(JSON.stringify({ ...message, params: { ...params, _meta } }));
    }
    const token = params?.progressToken;
    const ofProgress = token === undefined ? undefined : all.find(({ progressToken }) => progressToken === token);
    const stream = (ofProgress ?? all.at(-1))?.reply ?? this.#listener;
    stream?.send(line);
  }

  #withId(line: string, message: Message, id: Message['id']): string {
    return this.#options.isShared ? JSON.stringify({ ...message, id }) : line;
  }

  #end(): void {
    for (const { reply } of this.#waiting.values()) reply.refuse(502);
    this.#waiting.clear();
    this.#listener?.refuse(502);
    this.#options.onEnd();
  }
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\r\n]/gu, ' ');
}
