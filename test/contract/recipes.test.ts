import { mkdirSync, readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startDemo } from '../demo/start-demo.ts';
import { startCommand } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** docs/recipes.sh unchanged, line by line, against the demo server. */
it('every recipe of docs/recipes.sh works', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-recipes-'));
  const demo = await startDemo({ folder, mode: 'registration' });
  const home = temporaryFolder();
  const results = temporaryFolder();
  mkdirSync(path.join(results, 'unattended'), { mode: 0o700 });
  const script = fileURLToPath(new URL('../../docs/recipes.sh', import.meta.url));
  const ran = await startCommand(['bash', script], { home, env: { SERVER: demo.url, DIR: results }, stdin: '' }).ended;
  await demo.close();
  rmSync(folder, { recursive: true });
  expect(ran.stderr).not.toMatch(/^Error/mu);
  expect(ran.code).toBe(0);
  const read = (name: string): string => readFileSync(path.join(results, name), 'utf8').trim();
  expect(read('servers.tsv')).toBe(`Notes\tready\t${demo.url}`);
  expect(read('waiting.txt')).toBe('');
  expect(read('tools.txt').split('\n')).toContain('word_count');
  expect(read('words.txt').match(/\d+(?= words)/gu)).toEqual(['2', '3', '4', '2']);
  expect(read('json.txt')).toContain('2');
  expect(read('typo.txt')).toContain('text');
  expect(read('header.txt')).toBe('1');
  expect(read('failed.txt')).toBe('');
  expect(read('vault.txt')).toBe('file');
});
