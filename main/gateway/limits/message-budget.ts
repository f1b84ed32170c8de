import type { Holding } from '../../gateway-ports.ts';
import { gatewayMessage, gatewaySession, messageBudget } from '../../limits.ts';

/**
 * What messages take in memory, counted here alone, for both doors and both directions: of each app, and of all of them.
 * One that sends too much is refused, one that has too much in flight waits, and no other notices.
 */
export class MessageBudget {
  readonly #apps = new Map<string | undefined, AppBudget>();
  readonly #total = new Total();

  /** `app`: id of its record; apps that nobody has added share one part. */
  of(app: string | undefined): AppBudget {
    const known = this.#apps.get(app) ?? new AppBudget(this.#total);
    this.#apps.set(app, known);
    return known;
  }
}

/** The part of one app, in all of its sessions. */
export class AppBudget {
  readonly #total: Total;
  #bytes = 0;
  readonly #reading: ReadingRoom;

  constructor(total = new Total()) {
    this.#total = total;
    this.#reading = new ReadingRoom(total, this, () => this.#bytes);
  }

  /**
   * Whether there is room for one more message. Short ones have some of their own, so that an app whose long ones wait
   * for one server can still ask others, whatever other apps do.
   */
  fits(bytes: number): boolean {
    const cost = costOf(bytes);
    if (bytes <= messageBudget.short) return this.#bytes + cost <= messageBudget.app;
    return (
      this.#bytes + cost <= messageBudget.app - messageBudget.forShort &&
      this.#total.requests + cost <= messageBudget.requests
    );
  }

  /** A message of so many bytes is here. Answers what is called once it is not. */
  take(bytes: number): () => void {
    const cost = costOf(bytes);
    this.#bytes += cost;
    this.#total.take(cost);
    return () => {
      this.#bytes -= cost;
      this.#total.take(-cost);
      this.#reading.letGo();
    };
  }

  /**
   * For messages of the app that are still coming, at one of its connections: where there is no room, it waits. `hangUp`
   * ends that connection, where all have too much and this one has most.
   */
  openReading(hangUp: () => void): Holding {
    return this.#reading.open(hangUp);
  }

  /** For what servers send to one session of the app, until the app has taken it. */
  openSession(): ReadingRoom {
    return new ReadingRoom(this.#total, this);
  }
}

/** What one reader holds of a message, or of what nobody has taken yet. */
interface Held {
  bytes: number;
  readonly app: object;
  readonly room: object;
  readonly drop: () => void;
}

/** A reader that may not hold as much as it has to. */
interface Waiting {
  readonly of: Held;
  readonly bytes: number;
  readonly go: () => void;
}

/** What all apps have together. */
class Total {
  /** Of requests and notifications that servers have not taken or answered. */
  requests = 0;
  /** Of messages that are read, either way. */
  #read = 0;
  readonly #held = new Set<Held>();

  take(bytes: number): void {
    this.requests += bytes;
    this.#makeRoom();
  }

  set(held: Held, bytes: number): void {
    this.#read += bytes - held.bytes;
    held.bytes = bytes;
    if (bytes > 0) this.#held.add(held);
    else this.#held.delete(held);
    this.#makeRoom();
  }

  /** Whoever has most goes, and not who comes last: of the app that has most, what is largest of its largest session. */
  #makeRoom(): void {
    while (this.requests + this.#read > messageBudget.all && this.#held.size > 0) {
      const ofApp = heaviest(this.#held, ({ app }) => app);
      const ofRoom = heaviest(ofApp, ({ room }) => room);
      heaviest(ofRoom, (held) => held)[0]?.drop();
    }
  }
}

function heaviest(all: Iterable<Held>, whose: (held: Held) => object): readonly Held[] {
  let most: readonly Held[] = [];
  for (const theirs of Map.groupBy(all, whose).values()) if (bytesOf(theirs) > bytesOf(most)) most = theirs;
  return most;
}

function bytesOf(all: readonly Held[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * All that one side holds of messages, from their first byte until the other side has taken them: where that is full,
 * nobody reads on. Several messages may be half there, and none would ever be whole: so the last bytes are for one of
 * them alone, as many as the longest message has.
 */
export class ReadingRoom {
  readonly #shared = gatewaySession.buffer - gatewayMessage.size;
  readonly #all: Total;
  readonly #app: object;
  /** Bytes that the same side has beside those. */
  readonly #beside: () => number;
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
  #alone: Held | undefined;

  constructor(all: Total, app: object, beside: () => number = () => 0) {
    this.#all = all;
    this.#app = app;
    this.#beside = beside;
  }

  /**
   * For one stream, whose messages come one after the other. Nothing is held any more when `hold` gets 0. `hangUp`: what
   * is held is dropped, for others; from then on it waits for nothing and counts for nothing.
   */
  open(hangUp: () => void): Holding {
    let isDropped = false;
    const drop = (): void => {
      isDropped = true;
      this.#release(held);
      // It ends whatever holds this, and that may be asking for more right now.
      queueMicrotask(() => {
        hangUp();
        this.letGo();
      });
    };
    const held: Held = { bytes: 0, app: this.#app, room: this, drop };
    return { hold: async (bytes) => (isDropped ? undefined : await this.#hold(held, bytes)) };
  }

  /** The first of those that wait gets what is left where nobody has it; the others go on where all have room. */
  letGo(): void {
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

  async #hold(held: Held, bytes: number): Promise<void> {
    // Nobody reads on.
    if (bytes === 0) this.#release(held);
    else if (bytes <= held.bytes) this.#set(held, bytes);
    else {
      await new Promise<void>((go) => {
        this.#waiting.push({ of: held, bytes, go });
        this.letGo();
      });
      return;
    }
    this.letGo();
  }

  #release(held: Held): void {
    const all = this.#waiting.splice(0);
    this.#waiting.push(...all.filter(({ of }) => of !== held));
    for (const { of, go } of all) if (of === held) go();
    if (this.#alone === held) this.#alone = undefined;
    this.#set(held, 0);
  }

  #set(held: Held, bytes: number): void {
    this.#bytes += bytes - held.bytes;
    this.#all.set(held, bytes);
  }
}

/** What keeps track of a message takes memory too, and so do the few values of it that are built. */
function costOf(bytes: number): number {
  return bytes + Math.min(bytes, gatewayMessage.built) + messageBudget.each;
}

/** One request, from the moment that it has come. */
interface Place {
  /** Resolves when it may go out. Never rejects. */
  take(): Promise<void>;
  /** It is over; once. */
  leave(): void;
}

/** The requests of one session: so many at once, so many that wait behind them, and what their app may have in all. */
export class Places {
  readonly #budget: AppBudget;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor(budget: AppBudget) {
    this.#budget = budget;
  }

  /** Whether another one of so many bytes would be too much. */
  isFullFor(bytes: number): boolean {
    return this.#waiting.length >= gatewaySession.waiting || !this.#budget.fits(bytes);
  }

  enter(bytes: number): Place {
    const giveBack = this.#budget.take(bytes);
    let isTaken = false;
    return {
      take: async () => {
        if (this.#underWay < gatewaySession.atOnce) this.#underWay += 1;
        // Takes the place of whoever leaves.
        else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
        isTaken = true;
      },
      leave: () => {
        giveBack();
        if (!isTaken) return;
        const next = this.#waiting.shift();
        if (next) next();
        else this.#underWay -= 1;
      },
    };
  }
}
