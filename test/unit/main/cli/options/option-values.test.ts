import { describe, expect, it } from 'vitest';
import { minTtlValue, parseArguments, timeoutValue } from '../../../../../main/cli/options/parse-arguments.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';

const read = (seconds: string) => timeoutValue(parseArguments(commandTable, ['connect', 'u', `--timeout=${seconds}`]));

describe('timeoutValue', () => {
  it.each([
    ['1', 1_000],
    ['1.5', 1_500],
    ['600', 600_000],
  ])('reads %s seconds as %i milliseconds', (seconds, milliseconds) => {
    expect(read(seconds)).toBe(milliseconds);
  });

  it.each(['0', '0.3', '601', '600.1', '3600', '1e9', '-5', 'ten', ' 5', '1e2', '0x10', 'Infinity'])(
    'refuses %j, and names the allowed range',
    (seconds) => {
      const problem = 'from 1 to 600';
      expect(() => read(seconds)).toThrow(
        expect.objectContaining({ detail: expect.objectContaining({ problem: expect.stringContaining(problem) }) }),
      );
    },
  );
});

describe('minTtlValue', () => {
  it('reads seconds as milliseconds', () => {
    expect(minTtlValue(parseArguments(commandTable, ['token', 'x', '--min-ttl', '600']))).toBe(600_000);
  });

  it.each(['0', '86401', '1.5', '1e3', 'ten'])('refuses %j', (seconds) => {
    expect(() => minTtlValue(parseArguments(commandTable, ['token', 'x', `--min-ttl=${seconds}`]))).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });
});
