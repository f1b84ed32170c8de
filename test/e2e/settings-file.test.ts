import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { words } from '../../renderer/words.ts';
import { profileWith } from './kit/open-program.ts';
import { expect, test } from './kit/window-test.ts';

test.describe('a settings file with a slip in it', () => {
  test('keeps the window from changing anything, until a person restores the last good copy', async ({
    openProgram,
  }) => {
    const profile = profileWith(3);
    const [file, copy] = ['config.json', 'config.last-good.json'].map((name) => path.join(profile, name)) as [
      string,
      string,
    ];
    copyFileSync(file, copy);
    const good = JSON.parse(readFileSync(file, 'utf8')) as { integrations: unknown[] };
    const broken = readFileSync(file, 'utf8').replace('"version": 1,', '"version": 1');
    writeFileSync(file, broken);
    const { page } = await openProgram({ profile });
    await expect(page.getByText('line 3, column 3')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Open file' })).toBeVisible();
    await expect(page.locator('.integration-row')).toHaveCount(0);
    expect(readFileSync(file, 'utf8')).toBe(broken);
    await page.getByRole('button', { name: 'Restore the last good copy' }).click();
    await expect(page.locator('.integration-row').getByText('Server 3')).toBeVisible();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ integrations: good.integrations });
    expect(readFileSync(path.join(profile, 'config.corrupt-1.json'), 'utf8')).toBe(broken);
  });
});

test.describe('what the window remembers of itself', () => {
  test('is there at the next start, and is no part of the settings', async ({ openProgram }) => {
    const profile = profileWith(1);
    const config = path.join(profile, 'config.json');
    const before = statSync(config);
    const program = await openProgram({ profile });
    const size = { width: 730, height: 550 };
    await program.window.evaluate(({ BrowserWindow }, { width, height }) => {
      BrowserWindow.getAllWindows()[0]?.setSize(width, height);
    }, size);
    await program.page.getByRole('button', { name: words.arrange.fold }).click();
    await expect(program.page.getByRole('button', { name: words.arrange.unfold })).toBeVisible();
    await program.close();
    // Not even replaced by the same.
    expect(statSync(config)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    const { window, page } = await openProgram({ profile });
    await expect(page.getByRole('button', { name: words.arrange.unfold })).toBeVisible();
    const bounds = await window.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());
    expect(bounds).toMatchObject(size);
  });

  test('leaves the end of the program by a signal to Electron, which closes what is open', async ({ openProgram }) => {
    const { window } = await openProgram({ profile: profileWith(1) });
    // A listener of Node takes Electron's own place. The stand-in listens to a few others itself.
    const heard = await window.evaluate(() =>
      ['SIGQUIT', 'SIGALRM', 'SIGABRT'].map((name) => process.listenerCount(name)),
    );
    expect(heard).toEqual([0, 0, 0]);
    process.kill(window.pid, 'SIGTERM');
    expect(await window.ended).toBe(0);
  });
});
