import type { WindowBounds } from '../../window-ports.ts';

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const minWindowSize = { width: 640, height: 480 } as const;
const defaultSize = { width: 1_080, height: 720 } as const;
/** Part of the title bar that has to be visible, so that the window can be moved. */
const grip = { width: 120, height: 32 } as const;

/** Initial bounds: the last ones, if they are on an existing screen; otherwise centered. */
export function visibleBounds(bounds: WindowBounds | undefined, screens: readonly Area[]): WindowBounds {
  const largest = screens[0] ?? { x: 0, y: 0, width: 10_000, height: 10_000 };
  const width = clamp(bounds?.width ?? defaultSize.width, minWindowSize.width, largest.width);
  const height = clamp(bounds?.height ?? defaultSize.height, minWindowSize.height, largest.height);
  const maximized = bounds?.maximized ?? false;
  const { x, y } = bounds ?? {};
  if (x === undefined || y === undefined) return { width, height, maximized };
  const isVisible = screens.some(
    (screen) =>
      x + width - grip.width >= screen.x &&
      x + grip.width <= screen.x + screen.width &&
      y >= screen.y &&
      y + grip.height <= screen.y + screen.height,
  );
  return isVisible ? { x, y, width, height, maximized } : { width, height, maximized };
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(Math.round(value), Math.max(min, max)));
}
