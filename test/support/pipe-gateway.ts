import type { Socket } from 'node:net';
import { controlLines } from '../../main/net/endpoint/pipe-connection.ts';
import { afterTest } from './after-test.ts';
import { ByteLines } from './byte-lines.ts';
import { listenForPipes } from './listen-for-pipes.ts';

export { closedSocket, gatewaySocket } from './listen-for-pipes.ts';

/** One pipe connection: its first line, and what follows. */
export interface PipeConnection {
  readonly socket: Socket;
  readonly hello: Promise<Hello>;
  /** The next line after the first, as text without its end. */
  nextLine(): Promise<string>;
  /** The next line, as a message. */
  next(): Promise<Message>;
  /** Received lines that were not consumed, without the first line. */
  lines(): readonly string[];
  send(...messages: readonly (Message | string)[]): void;
  /** Stops answering liveness checks, like a suspended process. */
  hang(): void;
  /** Number of liveness checks from the pipe. */
  readonly livenessChecks: number;
  readonly closed: Promise<void>;
}

export type Message = Readonly<Record<string, unknown>>;

export interface Hello {
  readonly postern: number;
  readonly open: Readonly<Record<string, unknown>>;
}

export interface PipeGateway {
  readonly connections: readonly PipeConnection[];
  nextConnection(): Promise<PipeConnection>;
  /** Ends every connection and stops listening, like a killed process. */
  stop(): Promise<void>;
}

/** The gateway's end of the socket or port: reads the pipe's lines; the test answers them. */
export async function openPipeGateway(
  socketPath: string,
  respond: (message: Message, connection: PipeConnection) => void = () => {},
): Promise<PipeGateway> {
  const connections: PipeConnection[] = [];
  const waiting: ((connection: PipeConnection) => void)[] = [];
  let consumed = 0;
  const close = await listenForPipes(socketPath, (socket) => {
    const connection = openConnection(socket, respond);
    connections.push(connection);
    if (waiting.length > 0) {
      consumed += 1;
      waiting.shift()?.(connection);
    }
  });
  const stop = async (): Promise<void> => {
    const closed = close();
    for (const { socket } of connections) socket.destroy();
    await closed;
  };
  afterTest(stop);
  return {
    connections,
    async nextConnection() {
      const connection = connections[consumed];
      if (connection) {
        consumed += 1;
        return connection;
      }
      return await new Promise((resolve) => waiting.push(resolve));
    },
    stop,
  };
}

function openConnection(
  socket: Socket,
  respond: (message: Message, connection: PipeConnection) => void,
): PipeConnection {
  let tellHello: (hello: Hello) => void;
  const hello = new Promise<Hello>((resolve) => (tellHello = resolve));
  let isFirst = true;
  let isHanging = false;
  let livenessChecks = 0;
  const lines = new ByteLines((line) => {
    if (line === String(controlLines.ask)) {
      livenessChecks += 1;
      if (!isHanging) socket.write(`${String(controlLines.here)}\n`);
      return false;
    }
    if (!isFirst) {
      respond(parse(line), connection);
      return true;
    }
    isFirst = false;
    socket.write(`${String(controlLines.here)}\n`);
    tellHello(JSON.parse(line) as Hello);
    return false;
  });
  socket.on('data', (chunk) => lines.push(chunk));
  socket.on('error', () => {});
  const connection: PipeConnection = {
    socket,
    hello,
    nextLine: () => lines.next(),
    next: async () => parse(await lines.next()),
    lines: () => lines.pending(),
    send(...messages) {
      for (const message of messages)
        socket.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
    },
    hang: () => void (isHanging = true),
    get livenessChecks() {
      return livenessChecks;
    },
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
  };
  return connection;
}

function parse(line: string): Message {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return { unreadable: line };
  }
}
