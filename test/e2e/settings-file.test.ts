import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { words } from '../../renderer/words.ts';
import { profileWith } from './kit/open-postern.ts';
import { expect, test } from './kit/window-test.ts';

test.describe('a settings file with a syntax error', () => {
  test('blocks every change in the window until the user restores the last good copy', async ({ openPostern }) => {
    const profile = profileWith(3);
    const [file, copy] = ['config.json', 'config.last-good.json'].map((name) => path.join(profile, name)) as [
      string,
      string,
    ];
    copyFileSync(file, copy);
    const good = JSON.parse(readFileSync(file, 'utf8')) as { integrations: unknown[] };
    const broken = readFileSync(file, 'utf8').replace('"version": 1,', '"version": 1');
    writeFileSync(file, broken);
    const { page } = await openPostern({ profile });
    await expect(page.getByText('line 3, column 3')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Open file' })).toBeVisible();
    await expect(page.locator('.integration-row')).toHaveCount(0);
    expect(readFileSync(file, 'utf8')).toBe(broken);
    await page.getByRole('button', { name: 'Restore last good copy' }).click();
    await expect(page.locator('.integration-row').getByText('Server 3')).toBeVisible();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ integrations: good.integrations });
    expect(readFileSync(path.join(profile, 'config.corrupt-1.json'), 'utf8')).toBe(broken);
  });
});

test.describe('the window state', () => {
  test('survives a restart and is not part of the settings', async ({ openPostern }) => {
    const profile = profileWith(1);
    const config = path.join(profile, 'config.json');
    const before = statSync(config);
    const postern = await openPostern({ profile });
    const size = { width: 730, height: 550 };
    await postern.window.evaluate(({ BrowserWindow }, { width, height }) => {
      BrowserWindow.getAllWindows()[0]?.setSize(width, height);
    }, size);
    await postern.page.getByRole('button', { name: words.arrange.fold }).click();
    await expect(postern.page.getByRole('button', { name: words.arrange.unfold })).toBeVisible();
    await postern.close();
    // Not even rewritten with the same content.
    expect(statSync(config)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    const { window, page } = await openPostern({ profile });
    await expect(page.getByRole('button', { name: words.arrange.unfold })).toBeVisible();
    const bounds = await window.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());
    expect(bounds).toMatchObject(size);
  });

  test('leaves termination signals to Electron, which closes what is open', async ({ openPostern }) => {
    const { window } = await openPostern({ profile: profileWith(1) });
    // A Node listener would replace Electron's. The stand-in itself listens to a few others.
    const signalListeners = await window.evaluate(() =>
      ['SIGQUIT', 'SIGALRM', 'SIGABRT'].map((name) => process.listenerCount(name)),
    );
    expect(signalListeners).toEqual([0, 0, 0]);
    process.kill(window.pid, 'SIGTERM');
    expect(await window.ended).toBe(0);
  });
});
