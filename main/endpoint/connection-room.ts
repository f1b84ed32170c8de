import type { Socket } from 'node:net';
import { gatewayHttp } from '../limits.ts';

/**
 * The connections of a port that everybody on this computer may connect to: so many, since each costs a descriptor.
 * Beyond that the one ends that has been there longest without a secret: whoever has none keeps nobody out.
 */
export class ConnectionRoom {
  /** The longest one first. */
  readonly #strangers = new Set<Socket>();
  #count = 0;

  enter(socket: Socket): void {
    this.#count += 1;
    this.#strangers.add(socket);
    socket.once('close', () => {
      this.#count -= 1;
      this.#strangers.delete(socket);
    });
    if (this.#count <= gatewayHttp.connections) return;
    const [longest] = this.#strangers;
    if (!longest) return;
    // Its end takes a moment, in which others come.
    this.#strangers.delete(longest);
    longest.destroy();
  }

  /** A program's secret came by it. */
  know(socket: Socket): void {
    this.#strangers.delete(socket);
  }
}
