import type * as Electron from 'electron';
import { strictEmitter } from './not-emulated.ts';

let area: Electron.Rectangle = { x: 0, y: 0, width: 1280, height: 800 };
let scaleFactor = 1;

/** For the stand-in itself: Chromium's screen information. */
export function setScreen(width: number, height: number, scale: number): void {
  area = { x: 0, y: 0, width, height };
  scaleFactor = scale;
}

export function screenArea(): Electron.Rectangle {
  return { ...area };
}

type Emulated = 'getPrimaryDisplay' | 'getAllDisplays';

/** Always one display. */
export class StandInScreen
  extends strictEmitter('screen', ['display-added', 'display-removed', 'display-metrics-changed'])
  implements Pick<Electron.Screen, Emulated>
{
  getPrimaryDisplay(): Electron.Display {
    const { width, height } = area;
    const display = { id: 1, bounds: screenArea(), workArea: screenArea(), size: { width, height }, scaleFactor };
    return { ...display, workAreaSize: { width, height }, rotation: 0, internal: false } as Electron.Display;
  }

  getAllDisplays(): Electron.Display[] {
    return [this.getPrimaryDisplay()];
  }
}

export const screen = new StandInScreen();
