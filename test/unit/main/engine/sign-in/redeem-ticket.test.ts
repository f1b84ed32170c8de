import { describe, expect, it, vi } from 'vitest';
import type { EnginePorts } from '../../../../../main/engine/engine-ports.ts';
import { AuthTickets, redeemTicket } from '../../../../../main/engine/sign-in/auth-tickets.ts';
import type { Flow } from '../../../../../main/engine/sign-in/flow.ts';
import type { CompletedSignIn, SignInInteraction } from '../../../../../main/engine/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { systemRandom } from '../../../../../main/host/system-ports.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

const holder = { surface: 'window-1', integrationId: 'a' };

function createTickets() {
  const clock = createFakeClock();
  return { clock, tickets: new AuthTickets<string>(clock, systemRandom) };
}

describe('AuthTickets', () => {
  it('returns the contents once (spec 2.10, AZ-26)', () => {
    const { tickets } = createTickets();
    const id = tickets.issue(holder, 'tokens');
    expect(tickets.redeem(id, holder)).toBe('tokens');
    expect(() => tickets.redeem(id, holder)).toThrow('TICKET_INVALID');
  });

  it('creates unique IDs of 256 bits', () => {
    const { tickets } = createTickets();
    const ids = new Set(Array.from({ length: 100 }, () => tickets.issue(holder, 'tokens')));
    expect(ids.size).toBe(100);
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(32);
  });

  it.each([{ surface: 'window-2' }, { integrationId: 'b' }])('rejects another holder: %o (AZ-26)', (other) => {
    const { tickets } = createTickets();
    const id = tickets.issue(holder, 'tokens');
    expect(() => tickets.redeem(id, { ...holder, ...other })).toThrow('TICKET_INVALID');
    expect(() => tickets.redeem(id, holder)).toThrow('TICKET_INVALID');
  });

  it.each([
    { age: 600_000, valid: true },
    { age: 600_001, valid: false },
  ])('expires after ten minutes: $age ms (AZ-26)', ({ age, valid }) => {
    const { clock, tickets } = createTickets();
    const id = tickets.issue(holder, 'tokens');
    clock.advance(age);
    if (valid) expect(tickets.redeem(id, holder)).toBe('tokens');
    else expect(() => tickets.redeem(id, holder)).toThrow('TICKET_INVALID');
  });

  it('expires by the monotonic clock even if the wall clock was set back', () => {
    const { clock, tickets } = createTickets();
    const id = tickets.issue(holder, 'tokens');
    clock.advance(600_001);
    clock.setWall(clock.now() - 3_600_000);
    expect(() => tickets.redeem(id, holder)).toThrow('TICKET_INVALID');
  });

  it('expires by the wall clock even if the monotonic one slept', () => {
    const { clock, tickets } = createTickets();
    const id = tickets.issue(holder, 'tokens');
    clock.setWall(clock.now() + 600_001);
    expect(() => tickets.redeem(id, holder)).toThrow('TICKET_INVALID');
  });
});

it('does not finish a sign-in that was cancelled during the exchange (spec 2.10)', async () => {
  const cancelled = AbortSignal.abort(new PosternError('USER_CANCELLED', { stage: 'install' }));
  const finish = vi.fn(() => Promise.reject(new Error('not expected')));
  const interaction = { finish } as unknown as SignInInteraction;
  const ports = { clock: createFakeClock(), random: systemRandom } as unknown as EnginePorts;
  const flow = { advance: () => {} } as unknown as Flow;
  await expect(redeemTicket(ports, flow, interaction, holder, {} as CompletedSignIn, cancelled)).rejects.toThrow(
    'USER_CANCELLED',
  );
  expect(finish).not.toHaveBeenCalled();
});
