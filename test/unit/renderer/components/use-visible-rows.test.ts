import { describe, expect, it } from 'vitest';
import { visibleRange } from '../../../../renderer/components/use-visible-rows.ts';

describe('visibleRange', () => {
  it('renders the visible rows and a few more on both sides', () => {
    expect(visibleRange(4_800, 480, 48, 1_000)).toEqual({ first: 94, end: 116 });
  });

  it('stays inside the list', () => {
    expect(visibleRange(0, 480, 48, 5)).toEqual({ first: 0, end: 5 });
    expect(visibleRange(47_900, 480, 48, 1_000)).toEqual({ first: 991, end: 1_000 });
  });

  it('renders the end of a list that became shorter than the scroll position', () => {
    expect(visibleRange(40_000, 480, 48, 10)).toEqual({ first: 10, end: 10 });
  });
});
