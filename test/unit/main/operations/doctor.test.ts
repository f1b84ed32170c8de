import { describe, expect, it } from 'vitest';
import { toPlainError } from '../../../../main/errors/postern-error.ts';
import { checkClock, releasedAfter } from '../../../../main/operations/doctor.ts';
import { anIntegration } from '../../../support/an-integration.ts';

const hour = 3_600_000;
const now = releasedAfter + 1_000 * hour;

function judge(moment: number, ...used: Parameters<typeof anIntegration>[0][]): string {
  try {
    checkClock(moment, used.map(anIntegration));
    return 'possible';
  } catch (error) {
    return toPlainError(error).code;
  }
}

describe('checkClock', () => {
  it.each([
    ['now', now, 'possible'],
    ['1970', 0, 'CLOCK_WRONG'],
    ['the day before this version was released', releasedAfter - 24 * hour, 'CLOCK_WRONG'],
    ['ten years later', releasedAfter + 10 * 365 * 24 * hour, 'possible'],
    ['fifty years later', releasedAfter + 50 * 365 * 24 * hour, 'CLOCK_WRONG'],
  ])('judges %s correctly', (_name, moment, verdict) => {
    expect(judge(moment)).toBe(verdict);
  });

  it.each(['createdAt', 'signedInAt', 'refreshedAt'] as const)('rejects a clock days behind %s', (field) => {
    const before = { createdAt: releasedAfter };
    expect(judge(now, { ...before, [field]: now + 48 * hour })).toBe('CLOCK_WRONG');
    expect(judge(now, { ...before, [field]: now + 12 * hour })).toBe('possible');
  });

  it('reports the time of the clock, and the remedy', () => {
    try {
      checkClock(12 * hour, []);
    } catch (error) {
      expect(toPlainError(error)).toMatchObject({
        message: expect.stringMatching(/clock.*January 1, 1970/u),
        remedy: { kind: 'check-clock' },
      });
    }
    expect.assertions(1);
  });
});
