import type * as Electron from 'electron';
import { internalEvents } from './internal-events.ts';
import { strictEmitter } from './not-emulated.ts';

type Emulated =
  | 'themeSource'
  | 'shouldUseDarkColors'
  | 'shouldUseHighContrastColors'
  | 'shouldUseInvertedColorScheme'
  | 'inForcedColorsMode'
  | 'prefersReducedTransparency';

export class StandInNativeTheme
  extends strictEmitter('nativeTheme', ['updated'])
  implements Pick<Electron.NativeTheme, Emulated>
{
  readonly shouldUseHighContrastColors = false;
  readonly shouldUseInvertedColorScheme = false;
  readonly inForcedColorsMode = false;
  readonly prefersReducedTransparency = false;
  /** For the stand-in itself: Chromium's value from the system. */
  standInSystemIsDark = false;
  #source: Electron.NativeTheme['themeSource'] = 'system';

  get themeSource(): Electron.NativeTheme['themeSource'] {
    return this.#source;
  }

  set themeSource(source: Electron.NativeTheme['themeSource']) {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError('themeSource is system, light or dark');
    if (source === this.#source) return;
    this.#source = source;
    internalEvents.emit('colorScheme', source === 'system' ? undefined : source);
    setImmediate(() => this.emit('updated'));
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? this.standInSystemIsDark : this.#source === 'dark';
  }
}

export const nativeTheme = new StandInNativeTheme();
