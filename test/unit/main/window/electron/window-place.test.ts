import { describe, expect, it } from 'vitest';
import { visiblePlace } from '../../../../../main/window/electron/window-place.ts';

const screen = { x: 0, y: 0, width: 1_920, height: 1_080 };
const right = { x: 1_920, y: 0, width: 1_280, height: 1_024 };
const place = { x: 2_000, y: 100, width: 900, height: 600, maximized: false };

describe('visiblePlace', () => {
  it('puts the window where it was', () => {
    expect(visiblePlace(place, [screen, right])).toEqual(place);
  });

  it('takes the middle when that screen is gone', () => {
    expect(visiblePlace(place, [screen])).toEqual({ width: 900, height: 600, maximized: false });
  });

  it.each([
    ['above the top, where it cannot be taken hold of', { ...place, x: 100, y: -40 }],
    ['below the bottom', { ...place, x: 100, y: 1_070 }],
    ['nearly off to the left', { ...place, x: -800, y: 100 }],
  ])('takes the middle when it was %s', (_where, lost) => {
    expect(visiblePlace(lost, [screen])).not.toHaveProperty('x');
  });

  it('is never smaller than its page can be, nor larger than the screen', () => {
    expect(visiblePlace({ ...place, x: 0, y: 0, width: 10, height: 10 }, [screen])).toMatchObject({
      width: 640,
      height: 480,
    });
    expect(visiblePlace({ ...place, x: 0, y: 0, width: 9_999, height: 9_999 }, [screen])).toMatchObject({
      width: 1_920,
      height: 1_080,
    });
  });

  it('has a usual size the first time, and without any screen', () => {
    expect(visiblePlace(undefined, [screen])).toEqual({ width: 1_080, height: 720, maximized: false });
    expect(visiblePlace(undefined, [])).toEqual({ width: 1_080, height: 720, maximized: false });
  });
});
