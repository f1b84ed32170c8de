import { stateLifetime } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { Flow } from './flow.ts';
import type { SignedIn } from './signed-in.ts';
import type { SignInInteraction } from './sign-in-interaction.ts';
import type { Clock, Random } from '../../ports.ts';

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
export interface TicketHolder {
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
