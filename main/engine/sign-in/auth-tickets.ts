import { PosternError } from '../../errors/postern-error.ts';
import { leaseCheckInterval, stateLifetime } from '../../limits.ts';
import { SignInEnd } from '../../ports.ts';
import type { Clock, Random } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { Flow } from './flow.ts';
import type { CompletedSignIn, SignInInteraction } from './sign-in-interaction.ts';

/**
 * Issues an auth ticket for a finished exchange (spec 2.10) to `holder`, and redeems it when a surface presents it to
 * finish the install. `name`: the integration's name that the user chose there. Errors: TICKET_INVALID when another
 * holder presents it or nobody does within ten minutes, USER_CANCELLED.
 */
export async function redeemTicket(
  ports: EnginePorts,
  flow: Flow,
  interaction: SignInInteraction,
  holder: TicketHolder,
  signedIn: CompletedSignIn,
  signal: AbortSignal,
): Promise<{ readonly signedIn: CompletedSignIn; readonly name?: string | undefined }> {
  const tickets = new AuthTickets<CompletedSignIn>(ports.clock, ports.random);
  const ticketId = tickets.issue(holder, signedIn);
  flow.advance({ type: 'tokensReceived', ticketId });
  // The command line finishes at once.
  if (!interaction.finish) return { signedIn: tickets.redeem(ticketId, holder) };
  // Checked before asking: nothing would await the reply.
  signal.throwIfAborted();
  const finished = await withinLifetime(ports, interaction.finish(ticketId, signal), signal);
  const presenter = { surface: finished.surface, integrationId: holder.integrationId };
  return { signedIn: tickets.redeem(ticketId, presenter), name: finished.name };
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

/** Who requested the ticket (a window, the command line) and for which integration. Nobody else can redeem it. */
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
 * Auth tickets (spec 2.10): hold the result of an exchange in main's memory under a 256-bit ID, for one use within ten
 * minutes by both clocks.
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

  /** Returns the contents once. Errors: TICKET_INVALID, which also invalidates a ticket that someone else presented. */
  redeem(id: string, holder: TicketHolder): Contents {
    this.#sweep();
    const ticket = this.#tickets.get(id);
    this.#tickets.delete(id);
    const isHolder = ticket?.holder.surface === holder.surface && ticket.holder.integrationId === holder.integrationId;
    if (!ticket || !isHolder) throw new PosternError('TICKET_INVALID', { stage: 'install' });
    return ticket.contents;
  }

  #sweep(): void {
    for (const [id, { issuedAt }] of this.#tickets) {
      const wallAge = this.#clock.now() - issuedAt.wall;
      // A wall clock set back gives no age; the monotonic clock stops while some machines sleep.
      if (wallAge > stateLifetime || this.#clock.monotonic() - issuedAt.monotonic > stateLifetime) {
        this.#tickets.delete(id);
      }
    }
  }
}

/** A sign-in that is superseded when another process starts a newer one for the same integration. */
export interface LeasedSignIn {
  /** Aborts when the user cancels, and when a newer sign-in starts (reason: FLOW_SUPERSEDED). */
  readonly signal: AbortSignal;
  /** True if an older sign-in may still be ending and holding the callback port. */
  readonly supersedes: boolean;
  /** Checks now. Errors: FLOW_SUPERSEDED. */
  assertNewest(): void;
}

/**
 * Runs `work` as the newest sign-in of an integration in this profile: an older one in another process ends with
 * FLOW_SUPERSEDED, as this one does when a newer one starts. A first sign-in has an ID of its own that no other takes
 * over; it ends when all leases are removed. A sign-in stored only in memory takes no lease. Errors: FLOW_SUPERSEDED,
 * those of `work`.
 */
export async function leaseSignIn<Result>(
  ports: EnginePorts,
  integrationId: string,
  signal: AbortSignal,
  work: (leased: LeasedSignIn) => Promise<Result>,
): Promise<Result> {
  const { isPersistent } = await ports.vault();
  const lease = isPersistent ? await ports.leases.acquire(integrationId) : undefined;
  const superseded = new AbortController();
  let stopChecking = (): void => {};

  function assertNewest(): void {
    if (lease && !superseded.signal.aborted && !lease.isNewest()) {
      superseded.abort(new SignInEnd('superseded', { stage: 'authorization' }));
    }
    superseded.signal.throwIfAborted();
  }

  function check(): void {
    try {
      assertNewest();
      stopChecking = ports.clock.after(leaseCheckInterval, check);
    } catch {
      // The signal has already aborted the work.
    }
  }

  try {
    if (lease) check();
    return await work({
      signal: AbortSignal.any([signal, superseded.signal]),
      supersedes: lease?.supersedes ?? false,
      assertNewest,
    });
  } catch (error) {
    // The interrupted work throws its own errors; report the supersession instead.
    if (superseded.signal.aborted && !signal.aborted) throw superseded.signal.reason;
    throw error;
  } finally {
    stopChecking();
    await lease?.release();
  }
}
