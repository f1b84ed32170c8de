import path from 'node:path';
import type * as Electron from 'electron';
import { notEmulated, strictObject } from './not-emulated.ts';
import { openWithSystem } from './open-with-system.ts';

export const shell = strictObject('shell', {
  async openExternal(url: string, options?: Electron.OpenExternalOptions): Promise<void> {
    if (options !== undefined) notEmulated('openExternal with options');
    const trouble = await openWithSystem(new URL(url).href);
    if (trouble !== '') throw new Error(trouble);
  },
  openPath: (file: string): Promise<string> => openWithSystem(file),
  showItemInFolder: (file: string): void => void openWithSystem(path.dirname(file)),
  beep: (): void => {},
}) satisfies Pick<Electron.Shell, 'openExternal' | 'openPath' | 'showItemInFolder' | 'beep'>;
