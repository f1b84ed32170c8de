import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { pipeWords } from '../../main/net/endpoint/pipe-connection.ts';
import { afterTest } from './after-test.ts';

/** A program at the socket that speaks lines: what a pipe lets through. Asked to rest, it says so as a pipe does. */
export interface LineProgram {
  /** Every line that came, oldest first. */
  readonly lines: readonly string[];
  /** Lines of its own that were given back, oldest first. */
  readonly givenBack: readonly string[];
  /** Writes one line. */
  write(line: string): void;
  /** Writes what is no whole line yet. */
  begin(line: string): void;
  /** The first line that fits, now or later. */
  line(fits: (message: Record<string, unknown>, text: string) => boolean): Promise<string>;
  /** The answer to the request with this id, as it came. */
  answer(id: string | number): Promise<string>;
  /** Asks and waits for the answer. */
  ask(id: string | number, method: string, params?: object): Promise<Record<string, unknown>>;
  end(): void;
  readonly closed: Promise<void>;
}

export function openProgram(socketPath: string, hello: { server: string; program?: string }): LineProgram {
  const socket = createConnection(socketPath);
  afterTest(() => void socket.destroy());
  socket.on('error', () => {});
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const reader = createInterface({ input: socket });
  reader.on('error', () => {});
  const givenBack: string[] = [];
  let isBack = false;
  reader.on('line', (text) => {
    if (isBack) givenBack.push(text);
    else if (text === String(pipeWords.rest)) socket.write(`${String(pipeWords.resting)}\n`);
    else if (text !== String(pipeWords.back)) lines.push(text);
    isBack = !isBack && text === String(pipeWords.back);
    for (const look of waiting) look();
  });
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  socket.write(`${JSON.stringify({ postern: 1, open: hello })}\n`);
  const program: LineProgram = {
    lines,
    givenBack,
    closed,
    write: (line) => void socket.write(`${line}\n`),
    begin: (line) => void socket.write(line),
    line: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = lines.find((text) => fits(JSON.parse(text) as Record<string, unknown>, text));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    answer: (id) => program.line((message) => message['id'] === id && !('method' in message)),
    async ask(id, method, params = {}) {
      program.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return JSON.parse(await program.answer(id)) as Record<string, unknown>;
    },
    end: () => void socket.end(),
  };
  return program;
}

/** The handshake of a program of 2025-11-25. */
export async function shakeHands(program: LineProgram, id: number | string = 0): Promise<Record<string, unknown>> {
  const answer = await program.ask(id, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  program.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return answer;
}
