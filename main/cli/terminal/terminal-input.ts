import { StringDecoder } from 'node:string_decoder';
import { PosternError } from '../../errors/postern-error.ts';
import { stdinLength } from '../../limits.ts';
import { UsageError } from '../options/parse-arguments.ts';

const endOfInput = '\u0004';

/** Standard input, read only from the first use on (a command in the background must not touch the terminal). */
export interface StdinLines {
  readonly isTerminal: boolean;
  /** The next line without its end; `undefined` when the input has ended. Rejects when `signal` aborts. */
  next(signal: AbortSignal): Promise<string | undefined>;
  /** Gives every line, those that wait too, to `handle` until the returned function is called. */
  forward(handle: (line: string) => void): () => void;
  /** Everything up to the end of the input. Errors: USAGE for more than `stdinLength` characters, as `next`. */
  readAll(signal: AbortSignal): Promise<string>;
  /** Gives raw key presses (Ctrl-D for the end) to `handle` instead of lines until the returned function is called. */
  takeKeys(handle: (keys: string) => void): () => void;
}

interface StdinStream {
  setRawMode?(raw: boolean): unknown;
  pause?(): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown;
}

export function createStdinLines(open: () => StdinStream, isTerminal: boolean): StdinLines {
  let stdin: StdinStream | undefined;
  const waiting: string[] = [];
  const state = { rest: '', ended: false, waitingLength: 0, isTooLong: false };
  let wake: (() => void) | undefined;
  let forwardTo: ((line: string) => void) | undefined;
  let keysTo: ((keys: string) => void) | undefined;

  function deliver(line: string): void {
    if (forwardTo) forwardTo(line);
    else {
      waiting.push(line);
      // A line end is something to keep too: a pipe may send nothing else.
      state.waitingLength += line.length + 1;
    }
    wake?.();
  }

  function take(text: string): void {
    if (state.isTooLong) return;
    if (keysTo) return keysTo(text);
    if (state.rest.length + state.waitingLength + text.length > stdinLength) return stop();
    const lines = (state.rest + text).split('\n');
    state.rest = lines.pop() ?? '';
    for (const line of lines) deliver(line.replace(/\r$/u, ''));
  }

  function stop(): void {
    state.isTooLong = true;
    state.rest = '';
    waiting.length = 0;
    stdin?.pause?.();
    wake?.();
  }

  function end(): void {
    if (state.ended) return;
    state.ended = true;
    keysTo?.(endOfInput);
    if (state.rest !== '') deliver(state.rest.replace(/\r$/u, ''));
    state.rest = '';
    wake?.();
  }

  function start(): void {
    if (stdin) return;
    stdin = open();
    const decoder = new StringDecoder('utf8');
    let first = true;
    stdin.on('data', (chunk) => {
      const text = decoder.write(chunk);
      // Windows shells put a byte order mark in front of what they pipe.
      take(first ? text.replace(/^\ufeff/u, '') : text);
      first = false;
    });
    for (const event of ['end', 'close', 'error'] as const) stdin.on(event as 'end', end);
  }

  function takeWaiting(): string[] {
    state.waitingLength = 0;
    return waiting.splice(0);
  }

  async function change(signal: AbortSignal): Promise<void> {
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
    while (waiting.length === 0 && !state.ended && !state.isTooLong) await change(signal);
    if (state.isTooLong) throw tooLong();
    const line = waiting.shift();
    if (line !== undefined) state.waitingLength -= line.length + 1;
    return line;
  }

  return {
    isTerminal,
    next,
    forward(handle) {
      start();
      forwardTo = handle;
      for (const line of takeWaiting()) handle(line);
      return () => {
        if (forwardTo === handle) forwardTo = undefined;
      };
    },
    async readAll(signal) {
      start();
      const lines: string[] = [];
      for (let length = 0; ; await change(signal)) {
        for (const line of takeWaiting()) {
          lines.push(line);
          length += line.length + 1;
        }
        if (length > stdinLength) stop();
        if (state.isTooLong) throw tooLong();
        if (state.ended) return lines.join('\n');
      }
    },
    takeKeys(handle) {
      start();
      keysTo = handle;
      stdin?.setRawMode?.(true);
      // Two answers pasted at once: the second is here already.
      const ahead = takeWaiting().map((line) => `${line}\n`);
      const keys = ahead.join('') + state.rest;
      state.rest = '';
      if (keys !== '') handle(keys);
      return () => {
        keysTo = undefined;
        stdin?.setRawMode?.(false);
      };
    },
  };
}

function tooLong(): UsageError {
  return new UsageError(`What is piped in is longer than ${stdinLength / 2 ** 20} MB, or has no end.`);
}

/** Milliseconds that work has to tidy up after the first signal. */
const grace = 5_000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption {
  /** Aborts with USER_CANCELLED at the first signal. */
  readonly signal: AbortSignal;
  /** Rejects with USER_CANCELLED at the second signal, or when the grace has passed: nobody waits any longer. */
  readonly forced: Promise<never>;
  /** From now on they are for somebody else, who decides: nothing is aborted, and nothing forced. */
  passTo(other: (signal: NodeJS.Signals) => void): void;
}

/** Turns Ctrl-C, a polite kill and a closed terminal into an end that is told and tidy; a second one ends at once. */
export function watchForInterruption(): Interruption {
  return interruptedBy((interrupt) => {
    for (const signal of signals) process.on(signal, interrupt);
  });
}

/** The same for signals that come another way. */
export function interruptedBy(listen: (interrupt: (name: NodeJS.Signals) => void) => void): Interruption {
  const controller = new AbortController();
  const { promise: forced, reject } = Promise.withResolvers<never>();
  forced.catch(() => {});
  let other: ((signal: NodeJS.Signals) => void) | undefined;
  listen((name) => {
    if (other) return other(name);
    const reason = new PosternError('USER_CANCELLED', { stage: 'app' });
    if (controller.signal.aborted) return reject(reason);
    controller.abort(reason);
    setTimeout(() => reject(reason), grace).unref();
  });
  return { signal: controller.signal, forced, passTo: (taker) => void (other = taker) };
}
