import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { controlLines } from '../../main/net/endpoint/pipe-connection.ts';
import { afterTest } from './after-test.ts';

/** An app at the socket that speaks lines, as a pipe passes them. Asked to pause, it confirms as a pipe does. */
export interface LineApp {
  /** Every received line, oldest first. */
  readonly lines: readonly string[];
  /** Its own lines that were returned, oldest first. */
  readonly returned: readonly string[];
  /** Writes one line. */
  write(line: string): void;
  /** Writes an incomplete line. */
  writePartial(line: string): void;
  /** The first matching line, now or later. */
  line(matches: (message: Record<string, unknown>, text: string) => boolean): Promise<string>;
  /** The response to the request with this ID, as received. */
  response(id: string | number): Promise<string>;
  /** Sends a request and waits for the response. */
  request(id: string | number, method: string, params?: object): Promise<Record<string, unknown>>;
  end(): void;
  readonly closed: Promise<void>;
}

export function openApp(socketPath: string, hello: { server: string; app?: string }): LineApp {
  const socket = createConnection(socketPath);
  afterTest(() => void socket.destroy());
  socket.on('error', () => {});
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const reader = createInterface({ input: socket });
  reader.on('error', () => {});
  const returned: string[] = [];
  let isBack = false;
  reader.on('line', (text) => {
    if (isBack) returned.push(text);
    else if (text === String(controlLines.rest)) socket.write(`${String(controlLines.resting)}\n`);
    else if (text !== String(controlLines.back)) lines.push(text);
    isBack = !isBack && text === String(controlLines.back);
    for (const check of waiting) check();
  });
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  socket.write(`${JSON.stringify({ postern: 1, open: hello })}\n`);
  const app: LineApp = {
    lines,
    returned: returned,
    closed,
    write: (line) => void socket.write(`${line}\n`),
    writePartial: (line) => void socket.write(line),
    line: (matches) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = lines.find((text) => matches(JSON.parse(text) as Record<string, unknown>, text));
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    response: (id) => app.line((message) => message['id'] === id && !('method' in message)),
    async request(id, method, params = {}) {
      app.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return JSON.parse(await app.response(id)) as Record<string, unknown>;
    },
    end: () => void socket.end(),
  };
  return app;
}

/** The handshake of an app with revision 2025-11-25. */
export async function shakeHands(app: LineApp, id: number | string = 0): Promise<Record<string, unknown>> {
  const response = await app.request(id, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  app.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return response;
}
