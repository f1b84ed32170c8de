import type { Socket } from 'node:net';
import { gatewayHttp } from '../limits.ts';

/**
 * The connections of a port that everybody on this computer may connect to: so many, since each costs a descriptor.
 * Whoever has shown no secret keeps nobody out, and no program keeps out another one.
 */
export class ConnectionRoom {
  /** The one that has been there longest first. */
  readonly #strangers = new Set<Socket>();
  /** By program. */
  readonly #known = new Map<string, Set<Socket>>();

  enter(socket: Socket): void {
    this.#strangers.add(socket);
    socket.once('close', () => void this.#strangers.delete(socket));
    if (this.#strangers.size <= gatewayHttp.strangers) return;
    const [longest] = this.#strangers;
    if (!longest) return;
    // Its end takes a moment, in which others come.
    this.#strangers.delete(longest);
    longest.destroy();
  }

  /** The secret of a program came by it. False: that one has as many as it may have. */
  know(socket: Socket, program: string): boolean {
    const own = this.#known.get(program) ?? new Set();
    if (own.has(socket)) return true;
    if (own.size >= gatewayHttp.ofProgram) return false;
    this.#strangers.delete(socket);
    this.#known.set(program, own.add(socket));
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0) this.#known.delete(program);
    });
    return true;
  }
}
