import { stateLifetime } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { TicketHolder } from './auth-tickets.ts';
import { AuthTickets } from './auth-tickets.ts';
import type { Flow } from './flow.ts';
import type { SignedIn } from './sign-in.ts';
import type { SignInInteraction } from './sign-in-interaction.ts';

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
  // The command line has nothing to ask any more: it finishes at once.
  if (!interaction.finish) return { signedIn: tickets.redeem(ticketId, holder) };
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
    signal.throwIfAborted();
    return await Promise.race([wait, end.promise]);
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', cancel);
  }
}
