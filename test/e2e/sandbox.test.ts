import path from 'node:path';
import { expect, test } from './kit/window-test.ts';

test.describe('a window without the sandbox', () => {
  test('says who left it out, until sign-in pages open in the browser', async ({ openProgram }) => {
    // As its starter says where it has put what the AppImage holds: somewhere above the program.
    const env = { APPIMAGE: '/opt/Postern.AppImage', APPDIR: path.parse(import.meta.dirname).root };
    const { page } = await openProgram({ args: ['--no-sandbox'], env });
    const notice = page.locator('.toast').filter({ hasText: 'AppImage' });
    await notice.getByRole('button').click();
    await expect(notice).toHaveCount(0);
  });

  test('notices that a variable took it away', async ({ openProgram, runtime }) => {
    test.skip(runtime === 'stand-in', 'the stand-in heeds no variable of Electron');
    test.skip(process.getuid?.() === 0, 'root has none to take away');
    const { page } = await openProgram({ env: { ELECTRON_DISABLE_SANDBOX: '1' } });
    await expect(page.locator('.toast').filter({ hasText: 'sandbox' })).toBeVisible();
  });
});
