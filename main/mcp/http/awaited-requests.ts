import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { type AsWritten, parseAsWritten } from '../messages/as-written.ts';
import { cutTexts } from '../messages/cut-texts.ts';
import type { Admitted } from '../messages/bound-message.ts';
import { followsProgress, readMessages } from '../messages/read-messages.ts';
import type { Expected, ReadingOptions, Request } from '../messages/read-messages.ts';

export interface AwaitedRequest extends Expected {
  /** Resolves once the answer is there; rejects with why it cannot come. */
  readonly answered: Promise<void>;
  /** Aborts when nobody waits any more: of its exchange, whatever is under way. */
  readonly signal: AbortSignal;
}

interface Held extends AwaitedRequest, PromiseWithResolvers<void> {
  readonly end: AbortController;
}

/** The requests of a connection that have no answer yet, by the text of their id: servers write `"1"` for 1. */
export class AwaitedRequests {
  readonly byId = new Map<string, Held>();
  readonly #asWritten: AsWritten | undefined;

  constructor(asWritten?: AsWritten) {
    this.#asWritten = asWritten;
  }

  /** See `readMessages`. */
  read(came: Buffer, whole: string | number | undefined, hearing: ReadingOptions): readonly Admitted[] {
    if (!this.#asWritten) return readMessages(came, this.byId, whole, hearing);
    const { texts } = this.#asWritten;
    const rest = texts ? cutTexts(came, texts) : came;
    return readMessages(rest, this.byId, whole, { ...hearing, parse: parseAsWritten });
  }

  add(request: Request, outside: AbortSignal | undefined): AwaitedRequest {
    const settling = Promise.withResolvers<void>();
    const end = new AbortController();
    const signal = outside ? AbortSignal.any([outside, end.signal]) : end.signal;
    const held = { ...settling, answered: settling.promise, end, signal, followsProgress: followsProgress(request) };
    this.byId.set(String(request.id), held);
    return held;
  }

  has(id: string | number): boolean {
    return this.byId.has(String(id));
  }

  remove(id: string | number): void {
    this.byId.delete(String(id));
  }

  /** Its answer is there, or cannot be taken. */
  settle(id: string | number, error?: Error): void {
    const held = this.byId.get(String(id));
    this.remove(id);
    if (error) held?.reject(error);
    else held?.resolve();
  }

  /** What ends the exchange that a cancellation names. */
  ending(cancellation: JSONRPCMessage): () => void {
    const id = 'params' in cancellation ? String(cancellation.params?.['requestId']) : '';
    const held = this.byId.get(id);
    return () => held?.end.abort();
  }
}
