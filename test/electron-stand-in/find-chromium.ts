import { existsSync } from 'node:fs';
import path from 'node:path';

const places: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const folder = process.env[name];
    if (folder === undefined) return [];
    return ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].map((file) =>
      path.join(folder, file),
    );
  }),
};

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];

/** An installed Chrome or Chromium: `POSTERN_CHROMIUM`, or one in a usual location. */
export function findChromium(): string | undefined {
  const chosen = process.env['POSTERN_CHROMIUM'];
  if (chosen !== undefined) return chosen;
  const folders = process.platform === 'win32' ? [] : (process.env['PATH'] ?? '').split(path.delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...(places[process.platform] ?? []), ...onPath].find((file) => existsSync(file));
}
