import { createConnection } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { createSocketEndpoint } from '../../main/endpoint/socket-endpoint.ts';
import type { SessionEvent } from '../../main/gateway/gateway.ts';
import { Gateway } from '../../main/gateway/gateway.ts';
import { openCatalogueStore } from '../../main/storage/catalogue-store.ts';
import { openIntegrationStore } from '../../main/storage/integration-store.ts';
import type { ProgramRecord } from '../../shared/program-record.ts';
import type { Integration } from '../../shared/integration.ts';
import type { TestEngine } from './test-engine.ts';

export interface ServedGateway {
  readonly gateway: Gateway;
  readonly socket: string;
  readonly events: readonly SessionEvent[];
  /** Allows a program to use a server; its record's id. */
  allow(integration: Integration, change?: Partial<ProgramRecord>): Promise<string>;
  changeRecords(change: (records: readonly ProgramRecord[]) => readonly ProgramRecord[]): Promise<void>;
  /** Ends it as a quit does; afterwards the same profile can be served again. */
  close(): Promise<void>;
}

/** The gateway and its socket on the profile of a test's engine, gone after the test. */
export async function serveGateway(engine: TestEngine, { allowUnknown = false } = {}): Promise<ServedGateway> {
  const events: SessionEvent[] = [];
  const { programs } = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  const gateway = new Gateway({
    ...engine.ports,
    programs,
    catalogue: openCatalogueStore(engine.folder),
    allowUnknown,
    onSession: (event) => void events.push(event),
  });
  const socket = path.join(engine.folder, 'run', 'gateway.sock');
  const endpoint = createSocketEndpoint({ path: socket, open: (hello, line) => gateway.open(hello, line) });
  await endpoint.listen();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= endpoint.close().then(() => gateway.close()));
  onTestFinished(close);
  return {
    gateway,
    socket,
    events,
    close,
    async allow(integration, change = {}) {
      const id = String(Math.random()).slice(2, 18).padEnd(16, '0');
      const record = { id, program: 'cursor', name: 'Cursor', integrations: [integration.id], createdAt: 1, ...change };
      await programs.change((records) => [...records, record]);
      return id;
    },
    async changeRecords(change) {
      await programs.change(change);
      await gateway.changed();
    },
  };
}

/** A program at the socket that speaks lines: what a pipe lets through. */
export interface LineProgram {
  /** Every line that came, oldest first. */
  readonly lines: readonly string[];
  /** Writes one line. */
  write(line: string): void;
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
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const reader = createInterface({ input: socket });
  reader.on('error', () => {});
  reader.on('line', (text) => {
    lines.push(text);
    for (const look of waiting) look();
  });
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  socket.write(`${JSON.stringify({ postern: 1, open: hello })}\n`);
  const program: LineProgram = {
    lines,
    closed,
    write: (line) => void socket.write(`${line}\n`),
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
