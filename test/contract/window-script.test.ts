import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { windowRuntime } from '../support/window-runtime.ts';

interface Shown {
  readonly code: number;
  readonly output: string;
}

/** Shows the built window without a display, in a temporary folder of its own, and ends it once it can be used. */
async function showWithoutDisplay(env: NodeJS.ProcessEnv): Promise<Shown & { readonly left: readonly string[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-window-'));
  const clean = { ...process.env, DISPLAY: undefined, WAYLAND_DISPLAY: undefined, TMPDIR: folder, ...env };
  const home = { POSTERN_HOME: path.join(folder, 'home'), POSTERN_ELECTRON_DOWNLOAD: 'off' };
  try {
    const shown = await new Promise<Shown>((resolve) => {
      const options = { env: { ...clean, ...home } };
      execFile(process.execPath, ['scripts/window.ts', '--smoke'], options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` });
      });
    });
    const left = await readdir(folder);
    return { ...shown, left: left.filter((name) => /^postern-display|^electron-stand-in/.test(name)) };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const hasXvfb = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(path.join(folder, 'Xvfb')));

describe.runIf(process.platform === 'linux')('the window, without a display', () => {
  it.runIf(hasXvfb)('opens on a virtual one, reports that and which, and leaves nothing behind', async () => {
    const shown = await showWithoutDisplay({});
    expect(shown).toMatchObject({ code: 0, left: [] });
    expect(shown.output).toMatch(windowRuntime === 'electron' ? /in Electron/ : /in Chromium, on the stand-in/);
    expect(shown.output).toMatch(/on a virtual one \(:\d+\)/);
    expect(shown.output).toContain('The window was ready to use.');
  });

  it.runIf(windowRuntime === 'stand-in')('opens nowhere if there is no Xvfb either, and reports it', async () => {
    const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !existsSync(path.join(folder, 'Xvfb')));
    const shown = await showWithoutDisplay({ PATH: folders.join(':'), POSTERN_CHROMIUM: '/usr/bin/chromium' });
    expect(shown).toMatchObject({ code: 0, left: [] });
    expect(shown.output).toContain('the window is not visible');
  });

  it.runIf(windowRuntime === 'stand-in')('reports what is missing without Chromium', async () => {
    const shown = await showWithoutDisplay({ POSTERN_CHROMIUM: '/nowhere/chromium' });
    expect(shown).toMatchObject({ code: 1 });
    expect(shown.output).toContain('/nowhere/chromium');
  });
});
