import type { IpcEvent, Occasion } from '../../../shared/ipc-event.ts';
import type { ContentView } from '../../../shared/mcp-view.ts';
import type { QuestionRefusal } from '../../../shared/question-view.ts';
import { browserAddress } from '../../address/check-address.ts';
import type { BrowserAddress } from '../../address/check-address.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { logLines } from '../../limits.ts';
import type { LogEntry } from '../../mcp/client/server-questions.ts';
import type { Progress } from '../../mcp/client/call-tool.ts';
import type { Clock } from '../../ports.ts';
import type { ContentPiece } from '../views/describe-mcp.ts';
import { fileExtension } from '../views/media-header.ts';

/** Milliseconds between two progress events of one call. */
const progressInterval = 100;

/** Running calls of the window, by the id that it chose. */
export class WindowCalls {
  readonly #running = new Map<string, AbortController>();
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #send: (event: IpcEvent) => void;

  constructor(clock: Pick<Clock, 'monotonic'>, send: (event: IpcEvent) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  async run<Result>(call: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    this.#running.set(call, controller);
    try {
      return await work(controller.signal);
    } finally {
      if (this.#running.get(call) === controller) this.#running.delete(call);
    }
  }

  stop(call: string): void {
    this.#running.get(call)?.abort();
  }

  /** Aborts all calls. */
  end(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  /** Returns a listener that notifies the window of a change to what it follows. */
  changeSender(call: string): (occasion: Occasion) => void {
    return (occasion) => {
      if (this.#running.has(call)) this.#send({ event: 'changed', call, occasion });
    };
  }

  /** Returns a listener that notifies the window of a server's question that was refused without showing it. */
  refusalSender(call: string): (why: QuestionRefusal) => void {
    return (why) => this.#send({ event: 'refused-question', call, why });
  }

  /** Returns a listener that sends the server's log messages to the window. */
  logSender(call: string): (entry: LogEntry) => void {
    let remaining: number = logLines.count;
    return ({ level, data }) => {
      if (remaining === 0 || !this.#running.has(call)) return;
      remaining -= 1;
      const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
      this.#send({ event: 'log', call, level: displayText(level, 20), text: displayText(text, logLines.length) });
    };
  }

  /** Returns a listener that sends progress to the window, no more often than the user can read it. */
  progressSender(call: string): (progress: Progress) => void {
    let last = -Infinity;
    return ({ progress, total, message }) => {
      const now = this.#clock.monotonic();
      if (now - last < progressInterval || !this.#running.has(call)) return;
      last = now;
      this.#send({
        event: 'progress',
        call,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message: displayText(message, 200) }),
      });
    };
  }
}

/** Results that can still be copied or saved. */
const maxResults = 5;

/** The last results, by call. A page can only name a result, so that it cannot write content of its own. */
export class CallResults {
  readonly #results = new Map<string, readonly ContentPiece[]>();

  store(call: string, pieces: readonly ContentPiece[]): void {
    this.#results.delete(call);
    this.#results.set(call, pieces);
    const [oldest] = this.#results.keys();
    if (this.#results.size > maxResults && oldest !== undefined) this.#results.delete(oldest);
  }

  /** The whole text, without invisible characters, because it may be pasted anywhere. */
  text(call: string): string {
    return this.#of(call)
      .flatMap(({ text }) => text?.() ?? [])
      .join('\n\n');
  }

  /** The file name never comes from the server, which could choose one that the system executes. */
  file(call: string, piece: number | undefined): { readonly name: string; readonly bytes: Buffer } {
    if (piece === undefined) return { name: 'result.txt', bytes: this.#rawText(call) };
    const chosen = this.#of(call)[piece];
    if (!chosen) throw resultGone();
    const bytes = chosen.bytes();
    return { name: `result.${extensionOf(chosen.view, bytes)}`, bytes };
  }

  /** Only links that appear in the result are opened. Errors: NOT_FOUND, those of `browserAddress`. */
  link(call: string, url: string): BrowserAddress {
    const isShown = this.#of(call).some(
      ({ view }) => (view.type === 'text' && view.text.includes(url)) || (view.type === 'link' && view.uri === url),
    );
    if (!isShown) throw resultGone();
    return browserAddress(url);
  }

  #rawText(call: string): Buffer {
    const texts = this.#of(call).filter(({ text }) => text !== undefined);
    return Buffer.from(texts.map(({ bytes }) => bytes().toString('utf8')).join('\n\n'));
  }

  #of(call: string): readonly ContentPiece[] {
    const pieces = this.#results.get(call);
    if (!pieces) throw resultGone();
    return pieces;
  }
}

function extensionOf(view: ContentView, bytes: Buffer): string {
  if (view.type === 'json') return 'json';
  return view.type === 'binary' ? fileExtension(view.mimeType, bytes) : 'txt';
}

function resultGone(): PosternError {
  return new PosternError('NOT_FOUND', { stage: 'postern', detail: { count: 0 } });
}
