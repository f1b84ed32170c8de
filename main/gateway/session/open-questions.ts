import { gatewaySession } from '../../limits.ts';
import { idKey } from '../../mcp/messages/message-id.ts';

/**
 * The questions of a server that its program has not answered yet: each is answered once, and there is a bound.
 */
export class OpenQuestions {
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
