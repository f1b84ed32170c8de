import { PosternError } from '../../errors/postern-error.ts';
import { leaseReview, stateLifetime } from '../../limits.ts';
import { SignInEnd } from '../../ports.ts';
import type { Clock, Random } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { Flow } from './flow.ts';
import type { SignedIn, SignInInteraction } from './sign-in-interaction.ts';

/**
 * The way of every finished exchange through an auth ticket (spec 2.10): issued to `holder`, shown to whoever has to
 * finish the install, redeemed once. `name` is what they called it. Errors: TICKET_INVALID when another one shows it
 * or nobody does for ten minutes, USER_CANCELLED.
 */
export async function spendTicket(
  ports: EnginePorts,
  flow: Flow,
  interaction: SignInInteraction,
  holder: TicketHolder,
  signedIn: SignedIn,
  signal: AbortSignal,
): Promise<{ readonly signedIn: SignedIn; readonly name?: string | undefined }> {
  const tickets = new AuthTickets<SignedIn>(ports.clock, ports.random);
  const ticketId = tickets.issue(holder, signedIn);
  flow.advance({ type: 'tokensReceived', ticketId });
  // The command line asks nothing here: it finishes at once.
  if (!interaction.finish) return { signedIn: tickets.redeem(ticketId, holder) };
  // Checked before anybody is asked, since nothing would wait for the answer.
  signal.throwIfAborted();
  const shown = await withinLifetime(ports, interaction.finish(ticketId, signal), signal);
  const presenter = { surface: shown.surface, integrationId: holder.integrationId };
  return { signedIn: tickets.redeem(ticketId, presenter), name: shown.name };
}

async function withinLifetime<Result>(
  { clock }: EnginePorts,
  wait: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const end = Promise.withResolvers<never>();
  const cancelTimer = clock.after(stateLifetime, () =>
    end.reject(new PosternError('TICKET_INVALID', { stage: 'install' })),
  );
  const cancel = (): void => end.reject(new PosternError('USER_CANCELLED', { stage: 'install' }));
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([wait, end.promise]);
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', cancel);
  }
}

/** Who asked for the ticket (a window, the command line) and for which integration: it is redeemed by no other. */
interface TicketHolder {
  readonly surface: string;
  readonly integrationId: string;
}

interface Ticket<Contents> {
  readonly holder: TicketHolder;
  readonly contents: Contents;
  readonly issuedAt: { readonly wall: number; readonly monotonic: number };
}

/**
 * Auth tickets (spec 2.10): what a finished exchange yielded waits in main's memory under a 256-bit id, for one use
 * within ten minutes by both clocks.
 */
export class AuthTickets<Contents> {
  readonly #tickets = new Map<string, Ticket<Contents>>();
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  issue(holder: TicketHolder, contents: Contents): string {
    this.#sweep();
    const id = Buffer.from(this.#random.bytes(32)).toString('base64url');
    const issuedAt = { wall: this.#clock.now(), monotonic: this.#clock.monotonic() };
    this.#tickets.set(id, { holder, contents, issuedAt });
    return id;
  }

  /** Gives the contents once. Errors: TICKET_INVALID, which also ends a ticket that somebody else showed. */
  redeem(id: string, holder: TicketHolder): Contents {
    this.#sweep();
    const ticket = this.#tickets.get(id);
    this.#tickets.delete(id);
    const belongs = ticket?.holder.surface === holder.surface && ticket.holder.integrationId === holder.integrationId;
    if (!ticket || !belongs) throw new PosternError('TICKET_INVALID', { stage: 'install' });
    return ticket.contents;
  }

  #sweep(): void {
    for (const [id, { issuedAt }] of this.#tickets) {
      const wallAge = this.#clock.now() - issuedAt.wall;
      // A wall clock that went back says nothing of age; the monotonic one stops while some machines sleep.
      if (wallAge > stateLifetime || this.#clock.monotonic() - issuedAt.monotonic > stateLifetime) {
        this.#tickets.delete(id);
      }
    }
  }
}

/** A sign-in that ends as soon as another process starts a newer one of the same integration. */
export interface LeasedSignIn {
  /** Aborts when the person cancels, and when a newer sign-in was started (FLOW_SUPERSEDED is its reason then). */
  readonly signal: AbortSignal;
  /** Whether an older sign-in may still be ending, with the callback port in its hands. */
  readonly supersedes: boolean;
  /** Looks now. Errors: FLOW_SUPERSEDED. */
  assertNewest(): void;
}

/**
 * Runs `work` as the newest sign-in of an integration in this profile: an older one of another process ends with
 * FLOW_SUPERSEDED, as this one does when a newer comes. A first sign-in has an id of its own, which no other one takes
 * over; it ends where all leases are removed. Kept in memory only, a sign-in concerns no other process.
 * Errors: FLOW_SUPERSEDED, what `work` throws.
 */
export async function leaseSignIn<Result>(
  ports: EnginePorts,
  integrationId: string,
  signal: AbortSignal,
  work: (leased: LeasedSignIn) => Promise<Result>,
): Promise<Result> {
  const { persistent } = await ports.vault();
  const lease = persistent ? await ports.leases.take(integrationId) : undefined;
  const superseded = new AbortController();
  let stopLooking = (): void => {};

  function assertNewest(): void {
    if (lease && !superseded.signal.aborted && !lease.isNewest()) {
      superseded.abort(new SignInEnd('superseded', { stage: 'authorization' }));
    }
    superseded.signal.throwIfAborted();
  }

  function look(): void {
    try {
      assertNewest();
      stopLooking = ports.clock.after(leaseReview, look);
    } catch {
      // The signal has told those who wait.
    }
  }

  try {
    if (lease) look();
    return await work({
      signal: AbortSignal.any([signal, superseded.signal]),
      supersedes: lease?.supersedes ?? false,
      assertNewest,
    });
  } catch (error) {
    // Whatever it interrupted has errors of its own.
    if (superseded.signal.aborted && !signal.aborted) throw superseded.signal.reason;
    throw error;
  } finally {
    stopLooking();
    await lease?.release();
  }
}
