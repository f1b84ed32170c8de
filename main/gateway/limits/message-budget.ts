import { gatewayMessage, messageBudget } from '../../limits.ts';
import type { Holding } from '../../holding.ts';
import { SessionBuffer } from './session-buffer.ts';

/**
 * What the messages of apps take in memory, counted here alone, for both doors: of each app, and of all of them. One
 * that sends too much is refused, and no other notices.
 */
export class MessageBudget {
  readonly #apps = new Map<string | undefined, AppBudget>();
  readonly #all = { bytes: 0 };

  /** `app`: id of its record; apps that nobody has added share one part. */
  of(app: string | undefined): AppBudget {
    const known = this.#apps.get(app) ?? new AppBudget(this.#all);
    this.#apps.set(app, known);
    return known;
  }
}

/** The part of one app, in all of its sessions. */
export class AppBudget {
  readonly #all: { bytes: number };
  #bytes = 0;
  readonly #reading = new SessionBuffer();

  constructor(all = { bytes: 0 }) {
    this.#all = all;
  }

  /**
   * Whether there is room for one more message. Short ones have some of their own, so that an app whose long ones wait
   * for one server can still ask others, whatever other apps do.
   */
  fits(bytes: number): boolean {
    const cost = costOf(bytes);
    if (bytes <= messageBudget.short) return this.#bytes + cost <= messageBudget.app;
    return (
      this.#bytes + cost <= messageBudget.app - messageBudget.forShort && this.#all.bytes + cost <= messageBudget.all
    );
  }

  /** A message of so many bytes is here. Answers what is called once it is not. */
  take(bytes: number): () => void {
    const cost = costOf(bytes);
    this.#bytes += cost;
    this.#all.bytes += cost;
    return () => {
      this.#bytes -= cost;
      this.#all.bytes -= cost;
    };
  }

  /** For messages of the app that are still coming, at one of its connections: where there is no room, it waits. */
  openReading(): Holding {
    return this.#reading.open();
  }
}

/** What keeps track of a message takes memory too, and so do the few values of it that are built. */
function costOf(bytes: number): number {
  return bytes + Math.min(bytes, gatewayMessage.built) + messageBudget.each;
}
