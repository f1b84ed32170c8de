// Memory limits for messages: per app and in total.

import type { Reservation } from '../../gateway-ports.ts';
import { gatewayMessage, gatewaySession, messageBudget } from '../../limits.ts';

/**
 * Accounts for the memory of messages, at the socket and over HTTP and in both directions: per app and in total. An app
 * that sends too much is refused, and one with too much in flight waits; other apps are not affected.
 */
export class MessageBudget {
  readonly #apps = new Map<string | undefined, AppBudget>();
  readonly #total = new TotalBudget();

  /** `app`: record id; apps that the user has not added share one budget. */
  of(app: string | undefined): AppBudget {
    const known = this.#apps.get(app) ?? new AppBudget(this.#total);
    this.#apps.set(app, known);
    return known;
  }

  /** Forgets all apps that are not in `apps`. What they still have in flight counts toward the total until it is over. */
  retain(apps: ReadonlySet<string>): void {
    for (const app of this.#apps.keys()) if (app !== undefined && !apps.has(app)) this.#apps.delete(app);
  }
}

/** The budget of one app, across all of its sessions. */
export class AppBudget {
  readonly #total: TotalBudget;
  #bytes = 0;
  readonly #reading: ReadQuota;

  constructor(total = new TotalBudget()) {
    this.#total = total;
    this.#reading = new ReadQuota(total, this, () => this.#bytes);
  }

  /**
   * Whether one more message fits. Part of the budget is reserved for short messages, so that an app whose long ones
   * wait for one server can still use others, whatever other apps do.
   */
  fits(bytes: number): boolean {
    const cost = costOf(bytes);
    if (bytes <= messageBudget.short) return this.#bytes + cost <= messageBudget.app;
    return (
      this.#bytes + cost <= messageBudget.app - messageBudget.reservedForShort &&
      this.#total.requests + cost <= messageBudget.requests
    );
  }

  /** Reserves memory for a message of this many bytes. Returns a function that releases it. */
  reserve(bytes: number): () => void {
    const cost = costOf(bytes);
    this.#bytes += cost;
    this.#total.addRequestBytes(cost);
    return () => {
      this.#bytes -= cost;
      this.#total.addRequestBytes(-cost);
      this.#reading.wakeWaiting();
    };
  }

  /**
   * For messages that arrive on one connection of the app: without room, reading pauses. `hangUp`: called if the
   * total is exceeded and this connection uses the most.
   */
  openReading(hangUp: () => void): Reservation {
    return this.#reading.open(hangUp);
  }

  /** For messages from the server in one session of the app, until the app has read them. */
  openSession(): ReadQuota {
    return new ReadQuota(this.#total, this);
  }
}

/** Memory of one reader for a message that is incomplete or not yet delivered. */
interface HeldBytes {
  bytes: number;
  readonly app: object;
  readonly quota: object;
  readonly drop: () => void;
}

/** A reader that waits for memory. */
interface WaitingReader {
  readonly held: HeldBytes;
  readonly bytes: number;
  readonly resume: () => void;
}

/** The total of all apps. */
class TotalBudget {
  /** Bytes of requests and notifications that servers have not accepted or answered. */
  requests = 0;
  /** Bytes of messages being read, in either direction. */
  #read = 0;
  readonly #held = new Set<HeldBytes>();

  addRequestBytes(bytes: number): void {
    this.requests += bytes;
    this.#evict();
  }

  set(held: HeldBytes, bytes: number): void {
    this.#read += bytes - held.bytes;
    held.bytes = bytes;
    if (bytes > 0) this.#held.add(held);
    else this.#held.delete(held);
    this.#evict();
  }

  /** Drops the largest reader of the largest session of the app that uses the most, not the latest. */
  #evict(): void {
    while (this.requests + this.#read > messageBudget.all && this.#held.size > 0) {
      const ofApp = heaviest(this.#held, ({ app }) => app);
      const ofQuota = heaviest(ofApp, ({ quota }) => quota);
      heaviest(ofQuota, (held) => held)[0]?.drop();
    }
  }
}

function heaviest(all: Iterable<HeldBytes>, groupOf: (held: HeldBytes) => object): readonly HeldBytes[] {
  let largest: readonly HeldBytes[] = [];
  for (const group of Map.groupBy(all, groupOf).values()) if (bytesOf(group) > bytesOf(largest)) largest = group;
  return largest;
}

function bytesOf(all: readonly HeldBytes[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Limits the memory for messages of one side, from their first byte until the other side has accepted them; when full,
 * reading pauses. Since several half-read messages could block each other forever, room for the longest message is
 * reserved for one of them.
 */
export class ReadQuota {
  readonly #shared = gatewaySession.buffer - gatewayMessage.size;
  readonly #all: TotalBudget;
  readonly #app: object;
  /** Other memory that counts toward this quota. */
  readonly #otherBytes: () => number;
  readonly #waiting: WaitingReader[] = [];
  #bytes = 0;
  #reserveHolder: HeldBytes | undefined;

  constructor(all: TotalBudget, app: object, otherBytes: () => number = () => 0) {
    this.#all = all;
    this.#app = app;
    this.#otherBytes = otherBytes;
  }

  /**
   * For one stream of messages, one after the other. `reserve(0)` releases everything. `hangUp`: called when this
   * stream is dropped for others; from then on it neither waits nor counts.
   */
  open(hangUp: () => void): Reservation {
    let isDropped = false;
    const drop = (): void => {
      isDropped = true;
      this.#release(held);
      // Deferred: the holder may be reserving more right now.
      queueMicrotask(() => {
        hangUp();
        this.wakeWaiting();
      });
    };
    const held: HeldBytes = { bytes: 0, app: this.#app, quota: this, drop };
    return { reserve: async (bytes) => (isDropped ? undefined : await this.#reserve(held, bytes)) };
  }

  /** Gives the reserve to the first waiting reader if it is free; the others continue if there is shared room. */
  wakeWaiting(): void {
    for (const waiting of this.#waiting.splice(0)) {
      const { held, bytes, resume } = waiting;
      const others =
        this.#bytes -
        held.bytes -
        (this.#reserveHolder && this.#reserveHolder !== held ? this.#reserveHolder.bytes : 0);
      const isTooMuch = others + bytes + this.#otherBytes() > this.#shared;
      if (isTooMuch) this.#reserveHolder ??= held;
      if (this.#reserveHolder !== held && isTooMuch) this.#waiting.push(waiting);
      else {
        this.#set(held, bytes);
        resume();
      }
    }
  }

  async #reserve(held: HeldBytes, bytes: number): Promise<void> {
    if (bytes === 0) this.#release(held);
    else if (bytes <= held.bytes) this.#set(held, bytes);
    else {
      await new Promise<void>((resume) => {
        this.#waiting.push({ held, bytes, resume });
        this.wakeWaiting();
      });
      return;
    }
    this.wakeWaiting();
  }

  #release(held: HeldBytes): void {
    const all = this.#waiting.splice(0);
    this.#waiting.push(...all.filter((waiting) => waiting.held !== held));
    for (const waiting of all) if (waiting.held === held) waiting.resume();
    if (this.#reserveHolder === held) this.#reserveHolder = undefined;
    this.#set(held, 0);
  }

  #set(held: HeldBytes, bytes: number): void {
    this.#bytes += bytes - held.bytes;
    this.#all.set(held, bytes);
  }
}

/** Includes bookkeeping and the few parsed values. */
function costOf(bytes: number): number {
  return bytes + Math.min(bytes, gatewayMessage.parsedBytes) + messageBudget.overhead;
}

/** The slot of one request, from its arrival. */
export interface RequestSlot {
  /** Resolves when the request may be sent. Never rejects. */
  acquire(): Promise<void>;
  /** Its bytes no longer count here, since another session counts them from now on. */
  releaseBytes(): void;
  /** Call once, when the request is over. */
  release(): void;
}

/**
 * Limits the requests of one session: how many are in flight, how many wait, and how many bytes the app may have in
 * total.
 */
export class RequestSlots {
  readonly #budget: AppBudget;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;

  constructor(budget: AppBudget) {
    this.#budget = budget;
  }

  /** Whether another request of this size would exceed a limit. */
  isFullFor(bytes: number): boolean {
    return this.#waiting.length >= gatewaySession.queuedRequests || !this.#budget.fits(bytes);
  }

  enter(bytes: number): RequestSlot {
    let returnBytes: (() => void) | undefined = this.#budget.reserve(bytes);
    const releaseBytes = (): void => {
      returnBytes?.();
      returnBytes = undefined;
    };
    let isAcquired = false;
    return {
      releaseBytes,
      acquire: async () => {
        if (this.#inFlight < gatewaySession.concurrentRequests) this.#inFlight += 1;
        // Resolves when another request hands over its slot.
        else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
        isAcquired = true;
      },
      release: () => {
        releaseBytes();
        if (!isAcquired) return;
        const next = this.#waiting.shift();
        if (next) next();
        else this.#inFlight -= 1;
      },
    };
  }
}
