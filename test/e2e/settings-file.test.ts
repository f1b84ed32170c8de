import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
