import type { WindowPlace } from '../../window-ports.ts';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const smallestWindow = { width: 640, height: 480 } as const;
const usual = { width: 1_080, height: 720 } as const;
/** Of the title bar, so that it can be taken hold of. */
const grip = { width: 120, height: 32 } as const;

/**
 * Where the window goes: as it was, as long as that is on a screen that is there; else the usual size, in the middle.
 */
export function visiblePlace(place: WindowPlace | undefined, screens: readonly Area[]): WindowPlace {
  const largest = screens[0] ?? { x: 0, y: 0, width: 10_000, height: 10_000 };
  const width = clamp(place?.width ?? usual.width, smallestWindow.width, largest.width);
  const height = clamp(place?.height ?? usual.height, smallestWindow.height, largest.height);
  const maximized = place?.maximized ?? false;
  const { x, y } = place ?? {};
  if (x === undefined || y === undefined) return { width, height, maximized };
  const isThere = screens.some(
    (screen) =>
      x + width - grip.width >= screen.x &&
      x + grip.width <= screen.x + screen.width &&
      y >= screen.y &&
      y + grip.height <= screen.y + screen.height,
  );
  return isThere ? { x, y, width, height, maximized } : { width, height, maximized };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(Math.round(value), Math.max(least, most)));
}
