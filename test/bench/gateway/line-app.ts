import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { NotMeasured } from '../measured-process.ts';
import { idOf, initializeParams, longest } from './app.ts';
import type { App } from './app.ts';

export interface LineApp extends App {
  /** Responses to no pending request. */
  readonly strays: number;
  /** The kind of response, for callers that expect errors. Rejects only on timeout. */
  answerTo(method: string, params?: object): Promise<'result' | 'error'>;
  shakeHands(): Promise<number>;
}

interface Waiting {
  readonly since: number;
  settle(outcome: 'result' | 'error', milliseconds: number): void;
}

/** An app that starts `command` and exchanges lines with it. */
export function startLineApp([file = '', ...rest]: readonly string[], env: NodeJS.ProcessEnv = {}): LineApp {
  const child = spawn(file, rest, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  return speakLines(child.stdin, child.stdout, { pid: child.pid, close: () => endProcess(child) });
}

/** The same on the gateway's socket, for many at once. */
export function openSocketApp(socketPath: string, words: { server: string; app: string }): LineApp {
  const socket = createConnection(socketPath);
  socket.write(`${JSON.stringify({ postern: 1, open: words })}\n`);
  const close = async (): Promise<void> => {
    const closed = once(socket, 'close');
    socket.end();
    await closed;
  };
  return speakLines(socket, socket, { pid: undefined, close });
}

function speakLines(
  input: NodeJS.WritableStream,
  output: NodeJS.ReadableStream,
  way: Pick<App, 'pid' | 'close'>,
): LineApp {
  const waiting = new Map<number, Waiting>();
  let strays = 0;
  let last = 0;
  readEnds(output, (head, tail) => {
    if (head.includes('"method":')) return;
    const id = idOf(head, tail) ?? -1;
    const pending = waiting.get(id);
    if (!pending) return void (strays += 1);
    waiting.delete(id);
    const isError = /"error":|dev\.postern\/error/u.test(head + tail);
    pending.settle(isError ? 'error' : 'result', performance.now() - pending.since);
  });
  input.on('error', () => {});
  const write = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const send = (method: string, params: object): Promise<readonly ['result' | 'error', number]> =>
    new Promise((resolve, reject) => {
      const id = (last += 1);
      const late = setTimeout(() => reject(new NotMeasured(`no answer to ${method}`, [])), longest);
      waiting.set(id, {
        since: performance.now(),
        settle(outcome, milliseconds) {
          clearTimeout(late);
          resolve([outcome, milliseconds]);
        },
      });
      write({ id, method, params });
    });
  const ask = async (method: string, params: object = {}): Promise<number> => {
    const [outcome, milliseconds] = await send(method, params);
    if (outcome === 'error') throw new Error(`an error to ${method}`);
    return milliseconds;
  };
  return {
    ...way,
    ask,
    get strays() {
      return strays;
    },
    answerTo: async (method, params = {}) => (await send(method, params))[0],
    async shakeHands() {
      const milliseconds = await ask('initialize', initializeParams);
      write({ method: 'notifications/initialized' });
      return milliseconds;
    },
  };
}

/** Reports the first and last bytes of each line. */
function readEnds(output: NodeJS.ReadableStream, take: (head: string, tail: string) => void): void {
  let head = '';
  let tail = '';
  const add = (piece: Buffer): void => {
    if (head.length < 512) head += piece.toString('latin1', 0, 512 - head.length);
    tail = `${tail}${piece.toString('latin1', Math.max(0, piece.length - 512))}`.slice(-512);
  };
  output.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      take(head, tail);
      head = '';
      tail = '';
      from = end + 1;
    }
    add(chunk.subarray(from));
  });
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  const stop = setTimeout(() => child.kill('SIGKILL'), 2_000);
  await exit;
  clearTimeout(stop);
}
