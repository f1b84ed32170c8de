import { gatewaySession } from '../../limits.ts';
import { idKey } from '../../mcp/message-id.ts';

/**
 * The server's questions to a program that have not been answered yet: each is answered once, and there are so many.
 */
export class ServerQuestions {
  readonly #open = new Set<string>();

  /** `false`: too many are open, or this one is already. */
  open(id: string): boolean {
    const key = idKey(id);
    if (this.#open.size >= gatewaySession.questions || this.#open.has(key)) return false;
    this.#open.add(key);
    return true;
  }

  /** An answer came, or none is wanted any more. `false`: nobody has asked this, or it is answered. */
  settle(id: string): boolean {
    return this.#open.delete(idKey(id));
  }
}
