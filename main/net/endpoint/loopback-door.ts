import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession } from '../../limits.ts';

/** What `run/endpoint.json` says of it: anew at each start, and worth nothing afterwards. */
export interface LoopbackPlace {
  readonly port: number;
  /** 256 random bits in hex, which a pipe shows. */
  readonly knock: string;
  /** Others, which a pipe is shown: whoever took the port of a gateway that is gone does not have them. */
  readonly answer: string;
}

const beforeKnock = Buffer.from('{"postern":1,"knock":"');

/**
 * A port on this computer in front of which everybody may stand, other users and pages of the web too. In comes who has
 * read the person's own file. Whoever does not begin as a pipe does is hung up on at once and told nothing; each guess
 * costs a connection, and keeps nobody out who has the right one.
 */
export class LoopbackDoor {
  readonly #knock = randomBytes(32).toString('hex');
  readonly #answer = randomBytes(32).toString('hex');
  readonly #expected = Buffer.concat([beforeKnock, Buffer.from(`${this.#knock}"}\n`)]);
  /** Who has not shown it yet, the longest waiting one first. */
  readonly #strangers = new Set<Socket>();

  /** Errors: GATEWAY_PORT. */
  async listen(server: Server): Promise<LoopbackPlace> {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => reject(new PosternError('GATEWAY_PORT', { stage: 'gateway', cause })));
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    return { port, knock: this.#knock, answer: this.#answer };
  }

  /** Whether the one at the other end is a pipe of this person; it knows then that this is its gateway. Never rejects. */
  async admit(socket: Socket): Promise<boolean> {
    // Whatever goes wrong with it ends it.
    socket.on('error', () => {});
    this.#strangers.add(socket);
    const [first] = this.#strangers;
    if (this.#strangers.size > gatewaySession.strangers) first?.destroy();
    const isAdmitted = await this.#hearKnock(socket);
    this.#strangers.delete(socket);
    if (isAdmitted) socket.write(`{"postern":1,"answer":"${this.#answer}"}\n`);
    return isAdmitted;
  }

  #hearKnock(socket: Socket): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let heard = Buffer.alloc(0);
    const look = (): void => {
      heard = Buffer.concat([heard, (socket.read() as Buffer | null) ?? Buffer.alloc(0)]);
      if (!beginsAsPipe(heard)) resolve(false);
      // A pipe says nothing more before it knows who listens.
      else if (heard.byteLength >= this.#expected.byteLength) resolve(isSame(heard, this.#expected));
    };
    const leave = (): void => resolve(false);
    const tooSlow = setTimeout(leave, gatewaySession.helloTime);
    socket.on('readable', look).once('close', leave);
    return promise.finally(() => {
      clearTimeout(tooSlow);
      socket.off('readable', look).off('close', leave);
    });
  }
}

function beginsAsPipe(heard: Buffer): boolean {
  const length = Math.min(heard.byteLength, beforeKnock.byteLength);
  return heard.subarray(0, length).equals(beforeKnock.subarray(0, length));
}

function isSame(shown: Buffer, expected: Buffer): boolean {
  return shown.byteLength === expected.byteLength && timingSafeEqual(shown, expected);
}

/** A port for programs over HTTP that nobody has now; entries hold it from then on. Errors: GATEWAY_PORT. */
export async function freePort(): Promise<number> {
  for (const port of portsToTry(Math.random())) if ((await tryPort(port)) !== undefined) return port;
  throw new PosternError('GATEWAY_PORT', { stage: 'gateway' });
}

async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const { port: had } = server.address() as AddressInfo;
      server.close(() => resolve(had));
    });
  });
}

/** Ports that the way in over HTTP is looked for at, the first time. */
const first = 47_600;
const last = 47_699;

/** Them all, beginning anywhere: two people of one computer then seldom want the same. */
export function* portsToTry(random: number): Generator<number> {
  const count = last - first + 1;
  const start = Math.floor(random * count);
  for (let step = 0; step < count; step += 1) yield first + ((start + step) % count);
}
