import { describe, expect, it } from 'vitest';
import { visibleBounds } from '../../../../../main/window/electron/window-bounds.ts';

const screen = { x: 0, y: 0, width: 1_920, height: 1_080 };
const right = { x: 1_920, y: 0, width: 1_280, height: 1_024 };
const place = { x: 2_000, y: 100, width: 900, height: 600, maximized: false };

describe('visibleBounds', () => {
  it("restores the window's position", () => {
    expect(visibleBounds(place, [screen, right])).toEqual(place);
  });

  it('centers the window if its screen is gone', () => {
    expect(visibleBounds(place, [screen])).toEqual({ width: 900, height: 600, maximized: false });
  });

  it.each([
    ['above the top, where it cannot be dragged', { ...place, x: 100, y: -40 }],
    ['below the bottom', { ...place, x: 100, y: 1_070 }],
    ['nearly off to the left', { ...place, x: -800, y: 100 }],
  ])('centers the window if it was %s', (_where, lost) => {
    expect(visibleBounds(lost, [screen])).not.toHaveProperty('x');
  });

  it('is never smaller than its minimum or larger than the screen', () => {
    expect(visibleBounds({ ...place, x: 0, y: 0, width: 10, height: 10 }, [screen])).toMatchObject({
      width: 640,
      height: 480,
    });
    expect(visibleBounds({ ...place, x: 0, y: 0, width: 9_999, height: 9_999 }, [screen])).toMatchObject({
      width: 1_920,
      height: 1_080,
    });
  });

  it('has a default size the first time, and without any screen', () => {
    expect(visibleBounds(undefined, [screen])).toEqual({ width: 1_080, height: 720, maximized: false });
    expect(visibleBounds(undefined, [])).toEqual({ width: 1_080, height: 720, maximized: false });
  });
});
