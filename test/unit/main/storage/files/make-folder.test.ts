import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../../main/storage/files/file-system-error.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const refusal = expect.objectContaining({ code: 'CFG_READONLY', stage: 'storage' });

describe('makeFolder', () => {
  it('creates missing parents, closed to others, and leaves existing folders alone', () => {
    const root = temporaryFolder();
    mkdirSync(path.join(root, 'a'), { mode: 0o755 });
    makeFolder(path.join(root, 'a', 'b', 'c'), 'storage');
    makeFolder(path.join(root, 'a', 'b', 'c'), 'storage');
    const modes = ['a', 'a/b', 'a/b/c'].map((name) => statSync(path.join(root, name)).mode & 0o777);
    expect(modes).toEqual([0o755, 0o700, 0o700]);
  });

  it('accepts a link to a folder', () => {
    const root = temporaryFolder();
    mkdirSync(path.join(root, 'real'));
    symlinkSync(path.join(root, 'real'), path.join(root, 'link'));
    makeFolder(path.join(root, 'link'), 'storage');
    makeFolder(path.join(root, 'link', 'below'), 'storage');
    expect(statSync(path.join(root, 'real', 'below')).isDirectory()).toBe(true);
  });

  it('rejects a file in place of a folder', () => {
    const file = path.join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const folder of [file, path.join(file, 'a'), path.join(file, 'a', 'b')]) {
      expect(() => makeFolder(folder, 'storage')).toThrow(refusal);
    }
  });

  it.skipIf(process.platform !== 'linux').each(['/proc/nope', '/proc/nope/below', '/proc/self/locks', '/dev/null/a'])(
    'fails at once if nothing can be created: %s',
    (folder) => {
      expect(() => makeFolder(folder, 'storage')).toThrow(refusal);
    },
  );
});
