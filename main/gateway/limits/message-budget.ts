import type { Reservation } from '../../gateway-ports.ts';
import { gatewayMessage, gatewaySession, messageBudget } from '../../limits.ts';

/**
 * Memory taken by messages, counted in one place for the socket and HTTP and for both directions: per app and in total.
 * An app that sends too much is refused and one with too much in flight waits; no other app notices.
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
   * Whether one more message fits. Short messages have a reserve, so that an app whose long ones wait for one server
   * can still use others, whatever other apps do.
   */
  fits(bytes: number): boolean {
    const cost = costOf(bytes);
    if (bytes <= messageBudget.short) return this.#bytes + cost <= messageBudget.app;
    return (
      this.#bytes + cost <= messageBudget.app - messageBudget.reservedForShort &&
      this.#total.requests + cost <= messageBudget.requests
    );
  }

  /** Counts a message of this many bytes. Returns a function that releases it. */
  take(bytes: number): () => void {
    const cost = costOf(bytes);
    this.#bytes += cost;
    this.#total.take(cost);
    return () => {
      this.#bytes -= cost;
      this.#total.take(-cost);
      this.#reading.wakeWaiting();
    };
  }

  /**
   * For messages still arriving on one connection of the app: without room, the connection waits. `hangUp` ends it if
   * the total is exceeded and it holds the most.
   */
  openReading(hangUp: () => void): Reservation {
    return this.#reading.open(hangUp);
  }

  /** For what servers send to one session of the app, until the app has taken it. */
  openSession(): ReadQuota {
    return new ReadQuota(this.#total, this);
  }
}

/** What one reader holds of a message that is incomplete or not yet taken. */
interface HeldBytes {
  bytes: number;
  readonly app: object;
  readonly quota: object;
  readonly drop: () => void;
}

/** A reader that waits for room. */
interface WaitingReader {
  readonly of: HeldBytes;
  readonly bytes: number;
  readonly go: () => void;
}

/** The total of all apps. */
class TotalBudget {
  /** Bytes of requests and notifications that servers have not taken or answered. */
  requests = 0;
  /** Bytes of messages being read, in either direction. */
  #read = 0;
  readonly #held = new Set<HeldBytes>();

  take(bytes: number): void {
    this.requests += bytes;
    this.#makeRoom();
  }

  set(held: HeldBytes, bytes: number): void {
    this.#read += bytes - held.bytes;
    held.bytes = bytes;
    if (bytes > 0) this.#held.add(held);
    else this.#held.delete(held);
    this.#makeRoom();
  }

  /** Drops the heaviest, not the latest: the largest item of the largest session of the heaviest app. */
  #makeRoom(): void {
    while (this.requests + this.#read > messageBudget.all && this.#held.size > 0) {
      const ofApp = heaviest(this.#held, ({ app }) => app);
      const ofQuota = heaviest(ofApp, ({ quota }) => quota);
      heaviest(ofQuota, (held) => held)[0]?.drop();
    }
  }
}

function heaviest(all: Iterable<HeldBytes>, whose: (held: HeldBytes) => object): readonly HeldBytes[] {
  let most: readonly HeldBytes[] = [];
  for (const theirs of Map.groupBy(all, whose).values()) if (bytesOf(theirs) > bytesOf(most)) most = theirs;
  return most;
}

function bytesOf(all: readonly HeldBytes[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Limits what one side holds of messages, from their first byte until the other side has taken them; when full, nobody
 * reads on. Several half-read messages could block each other forever, so the last bytes, as many as the longest
 * message, are reserved for one of them.
 */
export class ReadQuota {
  readonly #shared = gatewaySession.buffer - gatewayMessage.size;
  readonly #all: TotalBudget;
  readonly #app: object;
  /** Other bytes of the same side. */
  readonly #beside: () => number;
  readonly #waiting: WaitingReader[] = [];
  #bytes = 0;
  #alone: HeldBytes | undefined;

  constructor(all: TotalBudget, app: object, beside: () => number = () => 0) {
    this.#all = all;
    this.#app = app;
    this.#beside = beside;
  }

  /**
   * For one stream, whose messages come one after the other. `hold(0)` releases everything. `hangUp`: called when the
   * held bytes are dropped for others; from then on the stream neither waits nor counts.
   */
  open(hangUp: () => void): Reservation {
    let isDropped = false;
    const drop = (): void => {
      isDropped = true;
      this.#release(held);
      // Deferred: it ends the holder, which may be asking for more right now.
      queueMicrotask(() => {
        hangUp();
        this.wakeWaiting();
      });
    };
    const held: HeldBytes = { bytes: 0, app: this.#app, quota: this, drop };
    return { reserve: async (bytes) => (isDropped ? undefined : await this.#hold(held, bytes)) };
  }

  /** The first waiting reader gets the reserve if it is free; the others continue if there is shared room. */
  wakeWaiting(): void {
    for (const waiting of this.#waiting.splice(0)) {
      const { of, bytes, go } = waiting;
      const others = this.#bytes - of.bytes - (this.#alone && this.#alone !== of ? this.#alone.bytes : 0);
      const isTooMuch = others + bytes + this.#beside() > this.#shared;
      if (isTooMuch) this.#alone ??= of;
      if (this.#alone !== of && isTooMuch) this.#waiting.push(waiting);
      else {
        this.#set(of, bytes);
        go();
      }
    }
  }

  async #hold(held: HeldBytes, bytes: number): Promise<void> {
    // Nobody reads on.
    if (bytes === 0) this.#release(held);
    else if (bytes <= held.bytes) this.#set(held, bytes);
    else {
      await new Promise<void>((go) => {
        this.#waiting.push({ of: held, bytes, go });
        this.wakeWaiting();
      });
      return;
    }
    this.wakeWaiting();
  }

  #release(held: HeldBytes): void {
    const all = this.#waiting.splice(0);
    this.#waiting.push(...all.filter(({ of }) => of !== held));
    for (const { of, go } of all) if (of === held) go();
    if (this.#alone === held) this.#alone = undefined;
    this.#set(held, 0);
  }

  #set(held: HeldBytes, bytes: number): void {
    this.#bytes += bytes - held.bytes;
    this.#all.set(held, bytes);
  }
}

/** Bookkeeping and the few parsed values take memory too. */
function costOf(bytes: number): number {
  return bytes + Math.min(bytes, gatewayMessage.built) + messageBudget.overhead;
}

/** Slot of one request, from its arrival. */
interface RequestSlot {
  /** Resolves when the request may be sent. Never rejects. */
  acquire(): Promise<void>;
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

  /** Whether another request of this many bytes would be too much. */
  isFullFor(bytes: number): boolean {
    return this.#waiting.length >= gatewaySession.queuedRequests || !this.#budget.fits(bytes);
  }

  enter(bytes: number): RequestSlot {
    const returnBytes = this.#budget.take(bytes);
    let isAcquired = false;
    return {
      acquire: async () => {
        if (this.#inFlight < gatewaySession.concurrentRequests) this.#inFlight += 1;
        // Takes over the slot of a request that ends.
        else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
        isAcquired = true;
      },
      release: () => {
        returnBytes();
        if (!isAcquired) return;
        const next = this.#waiting.shift();
        if (next) next();
        else this.#inFlight -= 1;
      },
    };
  }
}
