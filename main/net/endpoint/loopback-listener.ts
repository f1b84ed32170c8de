import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';

/** Stored in `run/endpoint.json`; new at each start, useless afterwards. */
export interface LoopbackCredentials {
  readonly port: number;
  /** The pipe's secret: 256 random bits in hex. */
  readonly knock: string;
  /** The gateway's secret, also 256 bits: another program that took over the port does not have it. */
  readonly answer: string;
}

const knockPrefix = Buffer.from('{"postern":1,"knock":"');

/**
 * A loopback port that anyone on this computer can connect to, including other users and web pages. It admits clients
 * that know the secret from the user's private file, and silently drops anything that does not start like a pipe. Each
 * guess costs a connection, and never locks out a client with the right secret.
 */
export class LoopbackListener {
  readonly #knock = randomBytes(32).toString('hex');
  readonly #answer = randomBytes(32).toString('hex');
  readonly #expected = Buffer.concat([knockPrefix, Buffer.from(`${this.#knock}"}\n`)]);
  /** Oldest first. */
  readonly #unauthenticated = new Set<Socket>();

  /** Errors: GATEWAY_PORT. */
  async listen(server: Server): Promise<LoopbackCredentials> {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => reject(new PosternError('GATEWAY_PORT', { stage: 'gateway', cause })));
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    return { port, knock: this.#knock, answer: this.#answer };
  }

  /**
   * Mutual authentication: whether the client is a pipe of this user, which then learns the same of us. Never rejects.
   */
  async admit(socket: Socket): Promise<boolean> {
    // An error also closes the socket.
    socket.on('error', () => {});
    this.#unauthenticated.add(socket);
    const [oldest] = this.#unauthenticated;
    if (this.#unauthenticated.size > gatewaySession.pendingHellos) oldest?.destroy();
    const isAdmitted = await this.#readKnock(socket);
    this.#unauthenticated.delete(socket);
    if (isAdmitted) socket.write(`{"postern":1,"answer":"${this.#answer}"}\n`);
    return isAdmitted;
  }

  #readKnock(socket: Socket): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let received = Buffer.alloc(0);
    const onReadable = (): void => {
      received = Buffer.concat([received, (socket.read() as Buffer | null) ?? Buffer.alloc(0)]);
      if (!startsLikePipe(received)) resolve(false);
      // A pipe sends nothing else before it has authenticated us.
      else if (received.byteLength >= this.#expected.byteLength) resolve(isSame(received, this.#expected));
    };
    const fail = (): void => resolve(false);
    const timeout = setTimeout(fail, gatewaySession.helloTimeout);
    socket.on('readable', onReadable).once('close', fail);
    return promise.finally(() => {
      clearTimeout(timeout);
      socket.off('readable', onReadable).off('close', fail);
    });
  }
}

function startsLikePipe(received: Buffer): boolean {
  const length = Math.min(received.byteLength, knockPrefix.byteLength);
  return received.subarray(0, length).equals(knockPrefix.subarray(0, length));
}

function isSame(received: Buffer, expected: Buffer): boolean {
  return received.byteLength === expected.byteLength && timingSafeEqual(received, expected);
}

/** A free port for the HTTP endpoint; entries of apps contain it from then on. Errors: GATEWAY_PORT. */
export async function freePort(): Promise<number> {
  for (const port of portsToTry(Math.random())) if ((await tryPort(port)) !== undefined) return port;
  throw new PosternError('GATEWAY_PORT', { stage: 'gateway' });
}

async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const { port: bound } = server.address() as AddressInfo;
      server.close(() => resolve(bound));
    });
  });
}

/** Range in which the port of the HTTP endpoint is chosen. */
const firstPort = 47_600;
const lastPort = 47_699;

/** All of them from a random start, so that two users of one computer rarely collide. */
export function* portsToTry(random: number): Generator<number> {
  const count = lastPort - firstPort + 1;
  const start = Math.floor(random * count);
  for (let step = 0; step < count; step += 1) yield firstPort + ((start + step) % count);
}
