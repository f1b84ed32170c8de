import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import type { IpcEvent } from '../../shared/ipc-event.ts';
import { aConnection, aVerdict, anIntegrationView } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

const url = 'https://mcp.notes.example/mcp';
const link: IpcEvent = { event: 'link', link: { kind: 'connect', url } };
const integrations = [anIntegrationView()];
const discovered = (calls: readonly { call: string }[]) => calls.filter(({ call }) => call === 'connection:discover');

/** Where a link finds somebody at something. */
const doings: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['types into a field', (page) => page.locator('#search').fill('lin')],
  ['has a menu open', (page) => page.getByRole('option', { name: 'Linear' }).click({ button: 'right' })],
  ['is asked something', (page) => page.keyboard.press('Control+k')],
  [
    'looks at the recipe of a service',
    async (page) => {
      await page.getByRole('button', { name: words.sidebar.connect, exact: true }).click();
      await page.locator('.service-tile').first().click();
      await page.locator('[data-at-work]').waitFor();
    },
  ],
];

test.describe('a link', () => {
  for (const [what, doing] of doings)
    test(`waits while somebody ${what}`, async ({ openWindow }) => {
      const { page, send, calls } = await openWindow({ snapshots: { integrations } });
      await doing(page);
      await send(link);
      await expect(page.locator('.toast')).toContainText('mcp.notes.example');
      expect(discovered(await calls())).toEqual([]);
    });

  test('is checked as it is, with nothing of an earlier choice, and no key goes on to a sign-in', async ({
    openWindow,
  }) => {
    const answers = { 'connection:discover': { id: 'c1' } };
    const { page, send, calls, publish } = await openWindow({ snapshots: { integrations }, answers });
    await send(link);
    await expect.poll(async () => discovered(await calls())).toHaveLength(1);
    expect(discovered(await calls())).toEqual([{ call: 'connection:discover', input: { url, options: {} } }]);
    const verdict = aVerdict();
    await publish({
      connections: [aConnection({ id: 'c1', url, state: { name: 'discovered', method: 'OAuthWithDCR' }, verdict })],
    });
    const start = page.getByRole('button', { name: words.connect.start[verdict.kind], exact: true });
    await expect(start).toBeVisible();
    await expect(start).not.toBeFocused();
    // A second one takes nothing away of what is read here.
    await send({ event: 'link', link: { kind: 'connect', url: 'https://other.example/mcp' } });
    await expect(page.locator('.toast')).toContainText('other.example');
    expect(discovered(await calls())).toHaveLength(1);
  });
});
