import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const pretendNode20 =
  'data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
const wanted = { '': {}, 'node_modules/vite': { version: '8.3.8' }, 'node_modules/mac': { optional: true } };

/** Runs the script in a project folder where npm has installed `installed`. */
function run(installed: object | undefined, { node20 = false, deleted = false } = {}) {
  const root = temporaryFolder();
  mkdirSync(join(root, 'node_modules', deleted ? '' : 'vite'), { recursive: true });
  cpSync(join(import.meta.dirname, '../../../scripts/require-packages.js'), join(root, 'scripts/require-packages.js'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  if (installed) writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  const preload = node20 ? ['--import', pretendNode20] : [];
  const { status, stderr } = spawnSync(process.execPath, [...preload, join(root, 'scripts/require-packages.js')], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

const missing = { status: 1, stderr: expect.stringMatching(/^Packages .* `npm start`.*\n$/u) as string };

it('lets the command run if everything in the lockfile is installed, except optional packages', () => {
  expect(run({ 'node_modules/vite': { version: '8.3.8' } })).toEqual({ status: 0, stderr: '' });
});

it.each([
  ['nothing is installed', undefined],
  ['a package is missing', {}],
  ['a package has another version', { 'node_modules/vite': { version: '8.3.7' } }],
])('explains in one line what to do if %s', (_, installed) => {
  expect(run(installed)).toEqual(missing);
  expect(run(installed, { node20: true })).toEqual(missing);
});

it('gives the same advice if a package was deleted later', () => {
  expect(run({ 'node_modules/vite': { version: '8.3.8' } }, { deleted: true })).toEqual(missing);
});

it('explains in one line what to do if Node is too old for the sources', () => {
  const { status, stderr } = run({ 'node_modules/vite': { version: '8.3.8' } }, { node20: true });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^This needs Node\.js 24.* `npm rebuild node`.*\n$/u);
});
