import { expect, test } from './kit/window-test.ts';

test.describe('what the window starts', () => {
  test('is never looked for in the folder that somebody stands in', async ({ openProgram }) => {
    const { window } = await openProgram({ env: { PATH: `.::bin:${process.env['PATH'] ?? ''}` } });
    // Openers and installers are started by their names, by electron and its updater.
    const folders = await window.evaluate(() => (process.env['PATH'] ?? '').split(':'));
    expect(folders.filter((folder) => !folder.startsWith('/'))).toEqual([]);
    expect(folders).not.toEqual([]);
  });
});
