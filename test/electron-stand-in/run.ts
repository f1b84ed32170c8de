import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startBrowser } from './browser.ts';
import { openPackage } from './open-package.ts';

/**
 * `node run.ts <app> [arguments]`: runs an Electron app on an installed Chromium. An app is a folder with a
 * package.json, a script, or a package from electron-builder (`out/linux-unpacked`). POSTERN_STAND_IN_HEADLESS=1 shows
 * no window; this is the default without a display.
 */
const [target = '.', ...rest] = process.argv.slice(2);
const program = path.resolve(target);
const packed = openPackage(program);
const description = readDescription(packed?.appPath ?? program);

// A packaged app has no app path among its arguments.
process.argv = packed ? [path.join(program, description.name), ...rest] : [process.execPath, program, ...rest];
const { version: electronVersion } = createRequire(import.meta.url)('electron/package.json') as { version: string };
for (const [name, value] of Object.entries({
  type: 'browser',
  defaultApp: packed === undefined ? true : undefined,
  resourcesPath: packed?.resourcesPath ?? path.join(path.dirname(program), 'resources'),
  versions: { ...process.versions, electron: electronVersion, chrome: '' },
}))
  Object.defineProperty(process, name, { value, configurable: true, writable: true });

const { DISPLAY, WAYLAND_DISPLAY, POSTERN_STAND_IN_HEADLESS } = process.env;
const hasDisplay = process.platform !== 'linux' || `${DISPLAY ?? ''}${WAYLAND_DISPLAY ?? ''}` !== '';
const headless = POSTERN_STAND_IN_HEADLESS === '1' || !hasDisplay;
// With this switch the app shows nothing, and Chromium would take long to start.
const starting = rest.includes('--ozone-platform=headless')
  ? undefined
  : startBrowser({ headless, debugging: process.send !== undefined, netLog: readSwitch('log-net-log') });
starting?.catch(() => {});

const standIn = new URL('electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    /^electron(?:\/(?:main|common))?$/.test(specifier)
      ? { url: standIn, format: 'module', shortCircuit: true }
      : next(specifier, context),
});

const { app } = await import('./app.ts');
const { connectApp } = await import('./connect-app.ts');
const { readSystem } = await import('./read-system.ts');
const { serveTests } = await import('./serve-tests.ts');
connectApp();
app.standInDescribe(description.folder, description.name, description.version);
app.isPackaged = packed !== undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
process.on('uncaughtException', (error) => {
  // Electron shows a dialog and continues. Nobody would see it here, and tests must fail.
  console.error('Uncaught exception in the main process:', error);
  if (process.listenerCount('uncaughtException') === 1) app.exit(1);
});

await import(pathToFileURL(description.script).href);
try {
  const browser = await starting;
  if (browser) {
    await readSystem(browser);
    serveTests(browser);
  }
} catch (error) {
  const { message } = error as Error;
  console.error(message);
  if (message.includes('No usable sandbox')) console.error('ELECTRON_DISABLE_SANDBOX=1 turns it off.');
  app.exit(1);
}
app.standInStart();

function readSwitch(name: string): string | undefined {
  const start = `--${name}=`;
  return rest.find((word) => word.startsWith(start))?.slice(start.length);
}

function readDescription(location: string): { folder: string; script: string; name: string; version: string } {
  if (!existsSync(location)) throw new Error(`There is no program ${location}`);
  if (!statSync(location).isDirectory()) {
    const version = process.versions['electron'] ?? '';
    return { folder: path.dirname(location), script: location, name: 'Electron', version };
  }
  const packageJson = JSON.parse(readFileSync(path.join(location, 'package.json'), 'utf8')) as Record<string, string>;
  const { main = 'index.js', productName, name = 'Electron', version = '' } = packageJson;
  return { folder: location, script: path.join(location, main), name: productName ?? name, version };
}
