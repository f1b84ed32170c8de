import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readPlainFile, readPlainFileSync, requirePlainFileIfExists } from '../../../main/plain-file.ts';
import type { ReadOptions } from '../../../main/plain-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const readers = {
  readPlainFile,
  readPlainFileSync: async (file: string, options: ReadOptions) => readPlainFileSync(file, options),
};

const inFolder = (name: string): string => path.join(temporaryFolder(), name);

function pipe(): string {
  const file = inFolder('pipe');
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
  return file;
}

async function socket(): Promise<string> {
  const file = inFolder('socket');
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(file, resolve));
  return file;
}

describe.each(Object.entries(readers))('%s', (_, read) => {
  const lenient = { limit: 1_000, follow: true };

  it.each([
    ['', 10],
    ['abc', 3],
    ['x'.repeat(200_000), 200_000],
  ])('reads a file up to the limit (%#)', async (text, limit) => {
    const file = inFolder('file');
    writeFileSync(file, text);
    expect((await read(file, { limit, follow: false }))?.toString()).toBe(text);
    if (limit > text.length) return;
    expect(await read(file, { limit: limit - 1, follow: false })).toBeUndefined();
  });

  it('throws ENOENT if there is no file', async () => {
    await expect(read(inFolder('nothing'), lenient)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('follows a link only if allowed', async () => {
    const file = inFolder('file');
    writeFileSync(file, 'abc');
    symlinkSync(file, `${file}.link`);
    expect((await read(`${file}.link`, lenient))?.toString()).toBe('abc');
    await expect(read(`${file}.link`, { ...lenient, follow: false })).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it.skipIf(process.platform === 'win32').each<[string, () => string | Promise<string>]>([
    ['a pipe', pipe],
    ['an endless device', () => '/dev/zero'],
    ['a folder', temporaryFolder],
  ])('refuses %s', async (_what, make) => {
    const file = await make();
    await expect(read(file, lenient)).rejects.toMatchObject({ code: 'EFTYPE', path: file });
  });

  it.skipIf(process.platform !== 'linux')('refuses a socket', async () => {
    await expect(read(await socket(), lenient)).rejects.toMatchObject({ code: 'ENXIO' });
  });

  // A regular file with size 0 that returns more than a thousand bytes.
  it.skipIf(process.platform !== 'linux')('stops at the limit if a file is longer than its size', async () => {
    expect(await read('/proc/self/smaps', lenient)).toBeUndefined();
    expect((await read('/proc/self/stat', lenient))?.toString()).toMatch(/^\d+ /u);
  });
});

describe.skipIf(process.platform === 'win32')('requirePlainFileIfExists', () => {
  it('accepts a file, or none', () => {
    const file = inFolder('file');
    expect(() => requirePlainFileIfExists(file)).not.toThrow();
    writeFileSync(file, '');
    expect(() => requirePlainFileIfExists(file)).not.toThrow();
  });

  it('refuses a pipe, a folder, a link to a file, and a file with a second hard link', () => {
    const file = inFolder('file');
    writeFileSync(file, '');
    symlinkSync(file, `${file}.link`);
    mkdirSync(`${file}.folder`);
    linkSync(file, `${file}.name`);
    for (const [other, code] of [
      [pipe(), 'EFTYPE'],
      [`${file}.folder`, 'EFTYPE'],
      [`${file}.link`, 'ELOOP'],
      [`${file}.name`, 'ELOOP'],
    ] as const) {
      expect(() => requirePlainFileIfExists(other)).toThrow(expect.objectContaining({ code }));
    }
  });
});
