import type { IpcEvent, Occasion } from '../../../shared/ipc-event.ts';
import type { ContentView } from '../../../shared/mcp-view.ts';
import type { RefusedQuestion } from '../../../shared/question-view.ts';
import { browserAddress } from '../../address/check-address.ts';
import type { BrowserAddress } from '../../address/check-address.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { logLines } from '../../limits.ts';
import type { LogEntry } from '../../mcp/client/server-questions.ts';
import type { Progress } from '../../mcp/client/use-tools.ts';
import type { Clock } from '../../ports.ts';
import type { KeptPiece } from '../views/describe-mcp.ts';
import { fileExtension } from '../views/media-header.ts';

/** Milliseconds between two words about the progress of one call. */
const progressInterval = 100;

/** What the window has asked of servers and waits for, by the id that it gave each. */
export class WindowCalls {
  readonly #running = new Map<string, AbortController>();
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #tell: (event: IpcEvent) => void;

  constructor(clock: Pick<Clock, 'monotonic'>, tell: (event: IpcEvent) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  async run<Result>(call: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const ending = new AbortController();
    this.#running.set(call, ending);
    try {
      return await work(ending.signal);
    } finally {
      if (this.#running.get(call) === ending) this.#running.delete(call);
    }
  }

  stop(call: string): void {
    this.#running.get(call)?.abort();
  }

  /** No window waits for anything any more. */
  end(): void {
    for (const ending of this.#running.values()) ending.abort();
  }

  /** Tells the window to read what it follows by that call. */
  changedIn(call: string): (occasion: Occasion) => void {
    return (occasion) => {
      if (this.#running.has(call)) this.#tell({ event: 'changed', call, occasion });
    };
  }

  /** Tells the window that a question of the server was answered for the person. */
  refusedIn(call: string): (why: RefusedQuestion) => void {
    return (why) => this.#tell({ event: 'refused-question', call, why });
  }

  /** Tells the window what the server writes into its log. */
  logOf(call: string): (entry: LogEntry) => void {
    let left: number = logLines.count;
    return ({ level, data }) => {
      if (left === 0 || !this.#running.has(call)) return;
      left -= 1;
      const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
      this.#tell({ event: 'log', call, level: displayText(level, 20), text: displayText(text, logLines.length) });
    };
  }

  /** Tells the window how far a call is, as often as a person can read it. */
  progressOf(call: string): (progress: Progress) => void {
    let last = -Infinity;
    return ({ progress, total, message }) => {
      const now = this.#clock.monotonic();
      if (now - last < progressInterval || !this.#running.has(call)) return;
      last = now;
      this.#tell({
        event: 'progress',
        call,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message: displayText(message, 200) }),
      });
    };
  }
}

/** Results that can still be copied and saved. */
const most = 5;

/** The last results, by the calls that they answer: a page names one, and writes nothing of its own anywhere. */
export class KeptResults {
  readonly #results = new Map<string, readonly KeptPiece[]>();

  keep(call: string, pieces: readonly KeptPiece[]): void {
    this.#results.delete(call);
    this.#results.set(call, pieces);
    const [oldest] = this.#results.keys();
    if (this.#results.size > most && oldest !== undefined) this.#results.delete(oldest);
  }

  /** All that is text in it, cut nowhere, but without what cannot be seen: it is pasted elsewhere. */
  text(call: string): string {
    return this.#of(call)
      .flatMap(({ text }) => text?.() ?? [])
      .join('\n\n');
  }

  /** No name of it comes from the server: that could be one that a system runs. */
  file(call: string, piece: number | undefined): { readonly name: string; readonly bytes: Buffer } {
    if (piece === undefined) return { name: 'result.txt', bytes: this.#rawText(call) };
    const chosen = this.#of(call)[piece];
    if (!chosen) throw gone();
    const bytes = chosen.bytes();
    return { name: `result.${extensionOf(chosen.view, bytes)}`, bytes };
  }

  /** A link stands in a result as it is opened, or is not opened. Errors: those of `browserAddress`. */
  link(call: string, url: string): BrowserAddress {
    const isThere = this.#of(call).some(
      ({ view }) => (view.type === 'text' && view.text.includes(url)) || (view.type === 'link' && view.uri === url),
    );
    if (!isThere) throw gone();
    return browserAddress(url);
  }

  #rawText(call: string): Buffer {
    const texts = this.#of(call).filter(({ text }) => text !== undefined);
    return Buffer.from(texts.map(({ bytes }) => bytes().toString('utf8')).join('\n\n'));
  }

  #of(call: string): readonly KeptPiece[] {
    const pieces = this.#results.get(call);
    if (!pieces) throw gone();
    return pieces;
  }
}

function extensionOf(view: ContentView, bytes: Buffer): string {
  if (view.type === 'json') return 'json';
  return view.type === 'binary' ? fileExtension(view.mimeType, bytes) : 'txt';
}

function gone(): PosternError {
  return new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
}
