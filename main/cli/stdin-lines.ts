import { StringDecoder } from 'node:string_decoder';

const endOfInput = '\u0004';

/** Standard input, read only from the first use on (a command in the background must not touch the terminal). */
export interface StdinLines {
  readonly isTerminal: boolean;
  /** The next line without its end; `undefined` when the input has ended. Rejects when `signal` aborts. */
  next(signal: AbortSignal): Promise<string | undefined>;
  /** Gives every line, those that wait too, to `handle` until the returned function is called. */
  forward(handle: (line: string) => void): () => void;
  /** Everything up to the end of the input. */
  readAll(signal: AbortSignal): Promise<string>;
  /** Gives raw key presses (Ctrl-D for the end) to `handle` instead of lines until the returned function is called. */
  takeKeys(handle: (keys: string) => void): () => void;
}

export interface StdinStream {
  setRawMode?(raw: boolean): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown;
}

export function createStdinLines(open: () => StdinStream, isTerminal: boolean): StdinLines {
  let stdin: StdinStream | undefined;
  const waiting: string[] = [];
  const state = { rest: '', ended: false };
  let wake: (() => void) | undefined;
  let forwardTo: ((line: string) => void) | undefined;
  let keysTo: ((keys: string) => void) | undefined;

  function deliver(line: string): void {
    if (forwardTo) forwardTo(line);
    else waiting.push(line);
    wake?.();
  }

  function take(text: string): void {
    if (keysTo) return keysTo(text);
    const lines = (state.rest + text).split('\n');
    state.rest = lines.pop() ?? '';
    for (const line of lines) deliver(line.replace(/\r$/u, ''));
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
    while (waiting.length === 0 && !state.ended) await change(signal);
    return waiting.shift();
  }

  return {
    isTerminal,
    next,
    forward(handle) {
      start();
      forwardTo = handle;
      for (const line of waiting.splice(0)) handle(line);
      return () => {
        if (forwardTo === handle) forwardTo = undefined;
      };
    },
    async readAll(signal) {
      const lines: string[] = [];
      for (let line = await next(signal); line !== undefined; line = await next(signal)) lines.push(line);
      return lines.join('\n');
    },
    takeKeys(handle) {
      start();
      keysTo = handle;
      stdin?.setRawMode?.(true);
      // Two answers pasted at once: the second is here already.
      const ahead = waiting.splice(0).map((line) => `${line}\n`);
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
