import { describe, expect, it } from 'vitest';
import { listActions } from '../../../../../renderer/errors/remedy-actions.ts';
import { words } from '../../../../../renderer/words.ts';
import { waitRetryAfter } from '../../../../../shared/error-catalog/catalog-entry.ts';
import { remedyOfFault } from '../../../../../shared/error-catalog/network-errors.ts';
import { describeError, errorCodes, stages } from '../../../../../shared/error-codes.ts';
import { blames } from '../../../../../shared/error-traits.ts';
import type { NetworkRemedy } from '../../../../../shared/remedy.ts';
import { errorDetails, remediesOf } from '../../../../support/error-details.ts';

/** The window has none of these. */
const commandLine = /--[a-z]|`|postern (?:connect|tools|call|refresh|settings|doctor|sign-out)|undefined|NaN/;

describe.each(errorCodes)('%s', (code) => {
  it('shows users of the window what happened and what to do, without a command or flag', () => {
    for (const detail of errorDetails) expect(describeError(code, detail).message).not.toMatch(commandLine);
    for (const remedy of remediesOf(code)) {
      expect(words.errors.nextStep(remedy)).toMatch(/^\S.{10,}$/);
      expect(words.errors.nextStep(remedy)).not.toMatch(commandLine);
    }
  });

  it('has at least one button', () => {
    for (const remedy of remediesOf(code))
      for (const blame of blames) expect(listActions({ remedy, blame })).not.toEqual([]);
  });
});

describe('the text for users', () => {
  it('about certificates mentions no file to edit by hand', () => {
    for (const fault of ['certificate-unknown-authority', 'certificate-self-signed'] as const)
      expect(words.errors.nextStep(remedyOfFault(fault, 'https', true))).not.toContain('config.json');
  });

  it('about a temporary registration failure suggests a retry first, and when', () => {
    const known = new Date(2026, 0, 1, 14, 5, 30).getTime();
    const say = (after?: { first: NetworkRemedy; until?: number }) =>
      words.errors.nextStep({ kind: 'type-credentials', documents: false, after });
    const forGood = say();
    for (const until of [undefined, known]) {
      const passing = say({ first: waitRetryAfter(), ...(until !== undefined && { until }) });
      expect(passing.endsWith(forGood)).toBe(true);
      const first = passing.slice(0, -forGood.length);
      expect(first).toMatch(/\bagain\b/u);
      expect(first.includes('2:05:30 PM')).toBe(until !== undefined);
    }
    expect(forGood).not.toMatch(/\bagain\b/u);
  });

  it('about settings without a backup does not mention restoring one', () => {
    const say = (copy: boolean) => words.errors.nextStep({ kind: 'fix-settings', missing: false, copy });
    expect(say(true)).toContain('restore');
    expect(say(false)).not.toContain('restore');
  });
});

describe('stages', () => {
  it('describes every stage (spec 7)', () => {
    expect(Object.keys(words.errors.stages).toSorted()).toEqual([...stages].toSorted());
    expect(new Set(Object.values(words.errors.stages)).size).toBe(stages.length);
  });
});
