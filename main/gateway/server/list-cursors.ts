import { PosternError } from '../../errors/postern-error.ts';
import { changeOf } from '../messages/catalogue.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

/** A further page of a list that was begun in another session: its cursor is none of this one's (MCP 2025-11-25, pagination). */
export class LostCursor extends PosternError {
  constructor() {
    super('SESSION_LOST', { stage: 'gateway' });
  }
}

/** In which session of the server an app began each of its lists. */
export class ListCursors {
  readonly #begun = new Map<string, unknown>();

  /** `session`: what it is known by. Errors: LostCursor. */
  check({ method, params }: RequestEnvelope, session: unknown): void {
    if (changeOf(method) === undefined) return;
    const isNextPage = params['cursor'] !== undefined && this.#begun.has(method);
    const begun = isNextPage ? this.#begun.get(method) : session;
    this.#begun.set(method, begun);
    if (begun !== session) throw new LostCursor();
  }
}
