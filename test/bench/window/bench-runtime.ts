import { copyFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { buildWindow } from '../../../scripts/build-window.ts';
import { hasDisplay, startVirtualDisplay } from '../../../scripts/virtual-display.ts';
import { buildProgram } from '../../real-electron/build-program.ts';
import { obtainElectron } from '../../real-electron/obtain-electron.ts';
import { NoPackage } from '../../support/fetch-package.ts';
import { launchWindow } from '../../support/launch-window.ts';
import type { RunningWindow } from '../../support/launch-window.ts';
import { standInLauncher } from '../../support/window-runtime.ts';

const root = path.join(import.meta.dirname, '../../..');

/** The runtime for desktop apps. */
export interface BenchRuntime {
  readonly name: string;
  /** Arguments before the app's folder. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Starts an app to drive it from outside. */
  launch(app: string, profile: string): Promise<RunningWindow>;
  /** Builds Postern into an empty folder, with these plugins for the main process and the pages. */
  build(folder: string, inMain?: Plugin[], inPages?: Plugin[]): Promise<void>;
  end(): void;
}

/** Real Electron, which users run; the stand-in if there is none for this computer. */
export async function openBenchRuntime(): Promise<BenchRuntime> {
  try {
    const electron = process.env['POSTERN_ELECTRON'] ?? (await obtainElectron());
    const display = hasDisplay(process.env, process.platform) ? undefined : await startVirtualDisplay();
    const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
    return {
      name: 'in Electron',
      command: [electron],
      args: isRoot ? ['--no-sandbox'] : [],
      env: { ...display?.env },
      launch: (app, profile) =>
        launchWindow({ app, profile, runtime: 'electron', executable: electron, env: { ...display?.env } }),
      build: buildProgram,
      end: () => display?.end(),
    };
  } catch (error) {
    if (!(error instanceof NoPackage)) throw error;
    return {
      name: `on the stand-in (${error.message})`,
      command: [process.execPath, standInLauncher],
      args: [],
      env: {},
      launch: (app, profile) => launchWindow({ app, profile, runtime: 'stand-in' }),
      build: async (folder, inMain = [], inPages = []) => {
        await buildWindow(path.join(folder, 'dist'), inMain, inPages);
        copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
      },
      end: () => {},
    };
  }
}
