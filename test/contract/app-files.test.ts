import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Handler = (
  request: { readonly method: string; readonly url: string },
  answered: (response: { readonly statusCode?: number }) => void,
) => void;
let handler: Handler | undefined;
vi.mock('electron', () => ({
  protocol: { registerBufferProtocol: (_scheme: string, given: Handler) => void (handler = given) },
}));
const { serveAppFiles } = await import('../../main/window/electron/app-protocol.ts');

const statusOf = async (url: string, method = 'GET'): Promise<number> =>
  await new Promise((resolve) => handler?.({ method, url }, ({ statusCode = 200 }) => resolve(statusCode)));

it.skipIf(process.platform === 'win32')('rejects a link that leads out of the folder (IP-04)', async () => {
  const folder = temporaryFolder();
  const root = path.join(folder, 'renderer');
  for (const name of ['renderer', 'renderer-of-another']) mkdirSync(path.join(folder, name));
  writeFileSync(path.join(root, 'index.html'), 'ours');
  writeFileSync(path.join(folder, 'renderer-of-another/secret.html'), 'theirs');
  symlinkSync('index.html', path.join(root, 'again.html'));
  symlinkSync('../renderer-of-another/secret.html', path.join(root, 'secret.html'));
  symlinkSync('../renderer-of-another', path.join(root, 'folder'));
  serveAppFiles(root);
  expect(await statusOf('app://postern/index.html')).toBe(200);
  expect(await statusOf('app://postern/again.html')).toBe(200);
  expect(await statusOf('app://postern/secret.html')).toBe(404);
  expect(await statusOf('app://postern/folder/secret.html')).toBe(404);
  expect(await statusOf('app://postern/index.html', 'POST')).toBe(404);
});
