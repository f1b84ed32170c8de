import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { startPair, startResource } from '../support/demo-pair.ts';
import { launchWindow } from '../support/launch-window.ts';
import { runPostern } from '../support/postern-process.ts';
import type { RunningPostern } from './kit/open-postern.ts';
import { profileWith } from './kit/open-postern.ts';
import { look, signIn, start } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

/** Links opened while Postern runs, or that start it: by a second start, as on Windows and Linux. */

const connectTo = (address: string): string => `postern://connect?url=${encodeURIComponent(address)}`;

/** Starts Postern with each link; resolves once the last has exited. */
async function openLinks({ profile, window }: RunningPostern, ...links: string[]): Promise<void> {
  for (const link of links) {
    const second = launchWindow({ runtime: window.electron, profile, args: ['--', link] });
    await second.then(({ ended }) => ended).catch(() => {});
  }
}

const address = (page: Page) => page.getByLabel('Server address');
const toastWith = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });
const list = async (profile: string) => (await runPostern(['list', '--json'], { home: profile })).last;

test.describe('a link', () => {
  test('that starts Postern leads to the address check, asks before a local address, and never signs in automatically (IP-13)', async ({
    openPostern,
  }) => {
    let requestCount = 0;
    const { mcp } = await startPair({}, { intercept: () => ((requestCount += 1), false) });
    const { page, profile, popups } = await openPostern({ args: ['--', connectTo(mcp.url)] });
    await expect(address(page)).toHaveValue(mcp.url);
    const refused = page.getByRole('alert');
    await expect(refused.getByText('127.0.0.1')).toBeVisible();
    expect(requestCount).toBe(0);
    await page.getByRole('checkbox', { name: 'my computer or internal network' }).click();
    await page.getByRole('button', { name: words.connect.checkAgain }).click();
    await expect(page.getByRole('button', { name: /^Sign in to/u })).toBeVisible();
    expect(popups()).toEqual([]);
    expect(await list(profile)).toMatchObject({ integrations: [] });
  });

  test('waits while the user types or signs in, and only the newest of many is held (IP-13)', async ({
    openPostern,
  }) => {
    const { mcp, as } = await startPair();
    const postern = await openPostern();
    const { page } = postern;
    await address(page).fill('half an addr');
    const burst = ['a', 'b', 'c'].map((name) => connectTo(`https://${name}.example.invalid/mcp`));
    await openLinks(postern, ...burst);
    await expect(toastWith(page, 'c.example.invalid')).toBeVisible();
    await expect(page.locator('.toast')).toHaveCount(1);
    await expect(address(page)).toHaveValue('half an addr');
    await toastWith(page, 'c.example.invalid').getByRole('button', { name: words.common.dismiss }).click();
    await expect(page.locator('.toast')).toHaveCount(0);

    await look(page, mcp.url);
    await start(page, 'signIn', 'Notes');
    const popup = await postern.popup(as.origin);
    await openLinks(postern, connectTo('https://d.example.invalid/mcp'));
    await expect(toastWith(page, 'd.example.invalid')).toBeVisible();
    await signIn(popup);
    await expect(page.getByRole('heading', { name: 'Notes', level: 1 })).toBeVisible();
    await toastWith(page, 'd.example.invalid').getByRole('button', { name: words.link.connect }).click();
    await expect(address(page)).toHaveValue('https://d.example.invalid/mcp');
    await expect(page.locator('.toast')).toHaveCount(0);
  });

  test('that is opened later keeps what was typed', async ({ openPostern }) => {
    const mcp = await startResource(undefined);
    const postern = await openPostern();
    const { page } = postern;
    await address(page).fill('notio');
    await openLinks(postern, connectTo(mcp.url));
    await toastWith(page, '127.0.0.1').getByRole('button', { name: words.link.connect }).click();
    await expect(page.getByRole('alert').getByText('127.0.0.1')).toBeVisible();
    await expect(address(page)).toHaveValue('notio');
  });

  test('shows a listed server, and says so if it is not listed', async ({ openPostern }) => {
    const postern = await openPostern({ profile: profileWith(3) });
    const { page, profile } = postern;
    const { integrations } = (await list(profile)) as { integrations: { id: string; name: string }[] };
    const { id = '', name = '' } = integrations[1] ?? {};
    await openLinks(postern, `postern://open/${id}`);
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await openLinks(postern, 'postern://open/00000000-0000-4000-8000-000000000000');
    await expect(toastWith(page, words.link.unknown)).toBeVisible();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  });

  test('of any other kind is not opened, and Postern says so (IP-13)', async ({ openPostern }) => {
    const postern = await openPostern({ profile: profileWith(1) });
    const { page, profile } = postern;
    const before = await list(profile);
    const connected = page.getByRole('heading', { name: 'Home', level: 1 });
    for (const link of [
      connectTo('file:///etc/passwd'),
      connectTo('https://user:secret@mcp.example.com/'),
      'postern://remove/all',
      'postern://open/..%2f..%2fvault',
    ]) {
      await openLinks(postern, link);
      await toastWith(page, words.link.unusable).getByRole('button', { name: words.common.dismiss }).click();
      await expect(page.locator('.toast')).toHaveCount(0);
      await expect(connected).toBeVisible();
    }
    expect(await list(profile)).toEqual(before);
  });
});
