import path from 'node:path';
import { expect, test } from './kit/window-test.ts';

test.describe('a window without the sandbox', () => {
  test('says who disabled it, until sign-in pages open in the browser', async ({ openPostern }) => {
    // As the AppImage runtime sets it: a folder above the executable.
    const env = { APPIMAGE: '/opt/Postern.AppImage', APPDIR: path.parse(import.meta.dirname).root };
    const { page } = await openPostern({ args: ['--no-sandbox'], env });
    const notice = page.locator('.toast').filter({ hasText: 'AppImage' });
    await notice.getByRole('button').click();
    await expect(notice).toHaveCount(0);
  });

  test('detects that an environment variable disabled it', async ({ openPostern, runtime }) => {
    test.skip(runtime === 'stand-in', 'the stand-in ignores Electron’s variables');
    test.skip(process.getuid?.() === 0, 'root has no sandbox to disable');
    const { page } = await openPostern({ env: { ELECTRON_DISABLE_SANDBOX: '1' } });
    await expect(page.locator('.toast').filter({ hasText: 'sandbox' })).toBeVisible();
  });
});
