import { expect, test } from './kit/window-test.ts';

test.describe('a program that the window starts', () => {
  test('is never looked up in the current folder', async ({ openPostern }) => {
    const { window } = await openPostern({ env: { PATH: `.::bin:${process.env['PATH'] ?? ''}` } });
    // Electron and its updater start openers and installers by name.
    const folders = await window.evaluate(() => (process.env['PATH'] ?? '').split(':'));
    expect(folders.filter((folder) => !folder.startsWith('/'))).toEqual([]);
    expect(folders).not.toEqual([]);
  });
});
