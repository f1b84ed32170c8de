import { StringDecoder } from 'node:string_decoder';
import { PosternError } from '../../errors/postern-error.ts';
import { stdinLength } from '../../limits.ts';
import { UsageError } from '../options/parse-arguments.ts';

const endOfInput = '\u0004';

/** Standard input, opened on first use, because a background command must not touch the terminal. */
export interface StdinLines {
  readonly isTerminal: boolean;
  /** The next line without its line end; `undefined` at end of input. Rejects when `signal` aborts. */
  next(signal: AbortSignal): Promise<string | undefined>;
  /** Passes every line, including buffered ones, to `handle` until the returned function is called. */
  forward(handle: (line: string) => void): () => void;
  /** All input to its end. Errors: USAGE over `stdinLength` characters, like `next`. */
  readAll(signal: AbortSignal): Promise<string>;
  /** Passes raw key presses (Ctrl-D at the end) to `handle` until the returned function is called. */
  readKeys(handle: (keys: string) => void): () => void;
}

interface StdinStream {
  setRawMode?(raw: boolean): unknown;
  pause?(): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown;
}

export function createStdinLines(open: () => StdinStream, isTerminal: boolean): StdinLines {
  let stdin: StdinStream | undefined;
  const buffered: string[] = [];
  const state = { partialLine: '', ended: false, bufferedLength: 0, isTooLong: false };
  let wake: (() => void) | undefined;
  let onLine: ((line: string) => void) | undefined;
  let onKeys: ((keys: string) => void) | undefined;

  function deliver(line: string): void {
    if (onLine) onLine(line);
    else {
      buffered.push(line);
      // Line ends count too: a pipe may send nothing else.
      state.bufferedLength += line.length + 1;
    }
    wake?.();
  }

  function receive(text: string): void {
    if (state.isTooLong) return;
    if (onKeys) return onKeys(text);
    if (state.partialLine.length + state.bufferedLength + text.length > stdinLength) return stopReading();
    const lines = (state.partialLine + text).split('\n');
    state.partialLine = lines.pop() ?? '';
    for (const line of lines) deliver(line.replace(/\r$/u, ''));
  }

  function stopReading(): void {
    state.isTooLong = true;
    state.partialLine = '';
    buffered.length = 0;
    stdin?.pause?.();
    wake?.();
  }

  function end(): void {
    if (state.ended) return;
    state.ended = true;
    onKeys?.(endOfInput);
    if (state.partialLine !== '') deliver(state.partialLine.replace(/\r$/u, ''));
    state.partialLine = '';
    wake?.();
  }

  function start(): void {
    if (stdin) return;
    stdin = open();
    const decoder = new StringDecoder('utf8');
    let isFirst = true;
    stdin.on('data', (chunk) => {
      const text = decoder.write(chunk);
      // Windows shells start piped input with a byte order mark.
      receive(isFirst ? text.replace(/^\ufeff/u, '') : text);
      isFirst = false;
    });
    for (const event of ['end', 'close', 'error'] as const) stdin.on(event as 'end', end);
  }

  function drainBuffer(): string[] {
    state.bufferedLength = 0;
    return buffered.splice(0);
  }

  async function waitForChange(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => reject(signal.reason);
    wake = resolve;
    signal.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', abort);
      wake = undefined;
    }
  }

  async function next(signal: AbortSignal): Promise<string | undefined> {
    start();
    while (buffered.length === 0 && !state.ended && !state.isTooLong) await waitForChange(signal);
    if (state.isTooLong) throw tooLong();
    const line = buffered.shift();
    if (line !== undefined) state.bufferedLength -= line.length + 1;
    return line;
  }

  return {
    isTerminal,
    next,
    forward(handle) {
      start();
      onLine = handle;
      for (const line of drainBuffer()) handle(line);
      return () => {
        if (onLine === handle) onLine = undefined;
      };
    },
    async readAll(signal) {
      start();
      const lines: string[] = [];
      for (let length = 0; ; await waitForChange(signal)) {
        for (const line of drainBuffer()) {
          lines.push(line);
          length += line.length + 1;
        }
        if (length > stdinLength) stopReading();
        if (state.isTooLong) throw tooLong();
        if (state.ended) return lines.join('\n');
      }
    },
    readKeys(handle) {
      start();
      onKeys = handle;
      stdin?.setRawMode?.(true);
      // If two replies were pasted at once, the second is already buffered.
      const bufferedKeys = drainBuffer().map((line) => `${line}\n`);
      const keys = bufferedKeys.join('') + state.partialLine;
      state.partialLine = '';
      if (keys !== '') handle(keys);
      return () => {
        onKeys = undefined;
        stdin?.setRawMode?.(false);
      };
    },
  };
}

function tooLong(): UsageError {
  return new UsageError(`Standard input is longer than ${stdinLength / 2 ** 20} MB.`);
}

/** Milliseconds for cleanup after the first signal. */
const gracePeriod = 5_000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption {
  /** Aborts with USER_CANCELLED at the first signal. */
  readonly signal: AbortSignal;
  /** Rejects with USER_CANCELLED at the second signal, or after the grace period. */
  readonly forced: Promise<never>;
  /** Passes further signals to `receiver` instead of aborting. */
  passTo(receiver: (signal: NodeJS.Signals) => void): void;
}

/** On Ctrl-C, SIGTERM or a closed terminal, aborts with a message and cleanup. A second signal ends at once. */
export function watchForInterruption(): Interruption {
  return createInterruption((interrupt) => {
    for (const signal of signals) process.on(signal, interrupt);
  });
}

/** The same for signals from another source. */
export function createInterruption(listen: (interrupt: (name: NodeJS.Signals) => void) => void): Interruption {
  const controller = new AbortController();
  const { promise: forced, reject } = Promise.withResolvers<never>();
  forced.catch(() => {});
  let receiver: ((signal: NodeJS.Signals) => void) | undefined;
  listen((name) => {
    if (receiver) return receiver(name);
    const reason = new PosternError('USER_CANCELLED', { stage: 'postern' });
    if (controller.signal.aborted) return reject(reason);
    controller.abort(reason);
    setTimeout(() => reject(reason), gracePeriod).unref();
  });
  return { signal: controller.signal, forced, passTo: (handler) => void (receiver = handler) };
}
