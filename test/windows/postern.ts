import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { completeSignIn } from '../support/scripted-browser.ts';
import { makeFolder, pathThere, run, start, theWindows } from './windows.ts';
import type { Ended, StartOptions, WindowsProcess } from './windows.ts';

/** The `postern` command on Windows, with a profile of its own. */
export interface Postern {
  /** The profile folder, by its path here. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  run(words: readonly string[], options?: StartOptions): Promise<Ended>;
  start(words: readonly string[], options?: StartOptions): WindowsProcess;
  /** Runs it with `--json` and returns the last line. Throws if it fails. */
  json(words: readonly string[], options?: StartOptions): Promise<Record<string, unknown>>;
}

/** Windows path of a file of the installed Postern. */
export function installed(name: string): string {
  return pathThere(path.join(theWindows().folder, 'postern', name));
}

export function openPostern(home = makeFolder('profile')): Postern {
  const { node, folder } = theWindows();
  const env = { POSTERN_HOME: pathThere(home) };
  const file = pathThere(path.join(folder, 'postern/bin/postern.js'));
  const withEnv = (options: StartOptions = {}): StartOptions => ({ ...options, env: { ...env, ...options.env } });
  const runPostern: Postern['run'] = (words, options) => run(node, [file, ...words], withEnv(options));
  return {
    home,
    env,
    run: runPostern,
    start: (words, options) => start(node, [file, ...words], withEnv(options)),
    async json(words, options) {
      const ended = await runPostern([...words, '--json'], options);
      if (ended.code !== 0)
        throw new Error(`postern ${words.join(' ')} ended with ${ended.code}: ${ended.stdout}${ended.stderr}`);
      return JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
    },
  };
}

/** A copy of `plain-server.mjs`, by its Windows path. */
export function plainServer(folder = makeFolder('server')): string {
  const file = path.join(folder, 'server.mjs');
  copyFileSync(path.join(import.meta.dirname, 'plain-server.mjs'), file);
  return pathThere(file);
}

/** A `BROWSER` command for Windows that signs in as the demo's user and allows. */
export async function openBrowser(): Promise<{ readonly command: string; close(): void }> {
  const server = createServer((request, response) => {
    const page = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('page') ?? '';
    completeSignIn(page).then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const browser = path.join(makeFolder('browser'), 'browser.mjs');
  writeFileSync(browser, `await fetch('http://127.0.0.1:${port}/?page=' + encodeURIComponent(process.argv.at(-1)));\n`);
  return { command: `${theWindows().node} ${pathThere(browser)} %s`, close: () => void server.close() };
}
