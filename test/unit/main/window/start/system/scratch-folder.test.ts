import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  makeScratchFolder,
  removeLeftScratchFolders,
} from '../../../../../../main/window/start/system/scratch-folder.ts';
import { temporaryFolder } from '../../../../../support/temporary-folder.ts';

describe('the folder that Chromium keeps of a command', () => {
  it('is gone with all that is in it, and may be gone before', () => {
    const { folder, remove } = makeScratchFolder(temporaryFolder());
    writeFileSync(path.join(folder, 'Local State'), '{}');
    remove();
    expect(existsSync(folder)).toBe(false);
    expect(remove).not.toThrow();
  });

  it('goes with a later command where one was left empty, and with none that is new, full or not ours', () => {
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
    removeLeftScratchFolders(parent);
    expect(readdirSync(parent).toSorted()).toEqual(['other', 'postern-command-full', 'postern-command-new']);
    expect(() => removeLeftScratchFolders(path.join(parent, 'nowhere'))).not.toThrow();
  });
});
