import { setTimeout as pause } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { cancellationTime } from '../../limits.ts';

/** Cancellations on their way to a server: one may be all that stops a tool. */
export class Cancellations {
  readonly #sending = new Set<Promise<void>>();

  add(telling: Promise<void>): void {
    this.#sending.add(telling);
    telling.finally(() => this.#sending.delete(telling)).catch(() => {});
  }

  /** Waits a moment for those that have not arrived. */
  async settled(): Promise<void> {
    if (this.#sending.size === 0) return;
    const enough = new AbortController();
    const waiting = pause(cancellationTime, undefined, { signal: enough.signal }).catch(() => {});
    await Promise.race([Promise.allSettled(this.#sending), waiting]);
    enough.abort();
  }
}

/** The library would write down the error of ours that ended the request. */
export function withPlainReason(message: JSONRPCMessage): JSONRPCMessage {
  if (!('params' in message)) return message;
  return { ...message, params: { ...message.params, reason: 'The client no longer waits for the answer.' } };
}
