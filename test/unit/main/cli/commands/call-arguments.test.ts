import { describe, expect, it } from 'vitest';
import { isDeeperThan } from '../../../../../main/cli/commands/call-arguments.ts';

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('isDeeperThan', () => {
  it.each([
    ['text', 0, false],
    [null, 0, false],
    [{}, 0, true],
    [{ a: 1 }, 1, false],
    [{ a: [1] }, 1, true],
    [{ a: 1, b: { c: [] } }, 2, true],
    [nested(500), 500, false],
    [nested(501), 500, true],
    [nested(200_000), 500, true],
  ])('counts arrays and objects alike (%#)', (value, levels, isDeeper) => {
    expect(isDeeperThan(value, levels)).toBe(isDeeper);
  });
});
