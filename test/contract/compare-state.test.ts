import { timingSafeEqual } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { AuthorizationSession } from '../../main/integration/sign-in/authorization-session.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { authorizationRequest, state } from '../support/oauth-fixtures.ts';

// How long a comparison takes cannot be told reliably, so this looks at what compares. It needs modules of its own, which
// unit tests share.
vi.mock(import('node:crypto'), async (load) => {
  const original = await load();
  return { ...original, timingSafeEqual: vi.fn(original.timingSafeEqual) };
});

it.each(['wrong', state.slice(0, -1), `${state}x`, ''])(
  'compares a state in a time that says nothing of where it differs: %j (AZ-04)',
  (guess) => {
    vi.mocked(timingSafeEqual).mockClear();
    const session = new AuthorizationSession(createFakeClock(), authorizationRequest(), undefined);
    expect(session.receive(`state=${guess}&code=abc`)).toBe('not-valid');
    expect(timingSafeEqual).toHaveBeenCalledOnce();
    session.end(new Error('over'));
  },
);
