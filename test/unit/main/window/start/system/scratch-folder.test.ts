import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  makeScratchFolder,
  removeStaleScratchFolders,
} from '../../../../../../main/window/start/system/scratch-folder.ts';
import { temporaryFolder } from '../../../../../support/temporary-folder.ts';

describe('the scratch folder that Chromium needs for a command', () => {
  it('is removed with its contents, and may already be gone', () => {
    const { folder, remove } = makeScratchFolder(temporaryFolder());
    writeFileSync(path.join(folder, 'Local State'), '{}');
    remove();
    expect(existsSync(folder)).toBe(false);
    expect(remove).not.toThrow();
  });

  it('is removed by a later command if it was left empty, but not if it is new, full or foreign', () => {
    const parent = temporaryFolder();
    const old = new Date(Date.now() - 3_600_000);
    const make = (name: string): string => {
      const folder = path.join(parent, name);
      mkdirSync(folder);
      return folder;
    };
    writeFileSync(path.join(make('postern-command-full'), 'file'), '');
    make('postern-command-new');
    for (const name of ['postern-command-full', make('postern-command-left'), make('other')]) {
      utimesSync(path.resolve(parent, name), old, old);
    }
    removeStaleScratchFolders(parent);
    expect(readdirSync(parent).toSorted()).toEqual(['other', 'postern-command-full', 'postern-command-new']);
    expect(() => removeStaleScratchFolders(path.join(parent, 'nowhere'))).not.toThrow();
  });
});
