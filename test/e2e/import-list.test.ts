import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { words } from '../../renderer/words.ts';
import { afterTest } from '../support/after-test.ts';
import { freePort } from '../support/free-port.ts';
import { startResource } from '../support/demo-pair.ts';
import { connected, start, tabTo } from './kit/person.ts';
import { expect, test } from './kit/window-test.ts';

async function paste(page: Page, list: string): Promise<void> {
  await page.getByLabel('Server address').evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, list);
}

test('all of a pasted list are connected at once, as far as that needs nobody', async ({ openProgram }) => {
  const mcp = await startResource(undefined);
  const nowhere = `http://127.0.0.1:${await freePort()}/mcp`;
  const list = JSON.stringify({ mcpServers: { 'Field notes': { url: mcp.url }, Nowhere: { url: nowhere } } });
  const { page } = await openProgram();
  await paste(page, list);
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const cameTo = (counts: Partial<Parameters<typeof words.connect.importAllCameTo>[0]>) =>
    page.getByText(words.connect.importAllCameTo({ connected: 0, waiting: 0, failed: 0, left: 0, ...counts }));
  await tabTo(page, page.getByRole('button', { name: words.connect.importAll(2) }));
  await page.keyboard.press('Enter');
  // Both are on this computer, which has to be allowed for each: the row says so, and the focus is at what came of it.
  await expect(cameTo({ failed: 2 })).toBeFocused();
  for (const name of ['Field notes', 'Nowhere'])
    await expect(row(name).getByText(/computer or internal network/u)).toBeVisible();
  await page.getByRole('button', { name: 'Open: Field notes' }).click();
  await page.getByRole('button', { name: 'It runs on my computer or internal network' }).click();
  await start(page, 'Add');
  await connected(page, 'Field notes');
  await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
  await expect(cameTo({ connected: 1, failed: 1 })).toBeVisible();
});

test('a pasted list of servers stays until it is dismissed, with what became of each', async ({ openProgram }) => {
  const mcp = await startResource(undefined);
  const nowhere = `http://127.0.0.1:${await freePort()}/mcp`;
  const silent = createServer().listen(0, '127.0.0.1');
  afterTest(() => void silent.close());
  await once(silent, 'listening');
  const list = JSON.stringify({
    mcpServers: {
      'Field notes': { url: mcp.url },
      Nowhere: { url: nowhere, headers: { 'Content-Length': '1' } },
      Silent: { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp` },
    },
  });
  const { page } = await openProgram();
  await paste(page, list);
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const toList = () => page.getByRole('button', { name: 'Back to the list' }).click();

  // In words, and not by the name that the program has for it.
  await expect(row('Nowhere').getByText(words.connect.importNotes['header-unusable'])).toBeVisible();
  // All are on this computer, which has to be allowed for each.
  for (const name of ['Silent', 'Nowhere', 'Field notes']) {
    await page.getByRole('button', { name: `Connect: ${name}` }).click();
    await row(name).getByText(words.progress.failed).waitFor();
    await page.getByRole('button', { name: `Open: ${name}` }).click();
    await page.getByRole('button', { name: 'It runs on my computer or internal network' }).click();
    if (name === 'Silent') {
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await toList();
      // It can be gone on with as any other.
      await page.getByRole('button', { name: 'Open: Silent' }).click();
      await expect(page.getByRole('button', { name: 'Check again' })).toBeEnabled();
      await toList();
    }
    if (name === 'Nowhere') {
      await expect(page.getByRole('alert').getByText(words.errors.stages.probe)).toBeVisible();
      await toList();
      await expect(row(name).getByText(words.progress.failed)).toBeVisible();
    }
  }
  await start(page, 'Add');
  await connected(page, 'Field notes');

  await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
  await page.getByRole('button', { name: 'Open: Field notes' }).click();
  await expect(page.getByRole('heading', { name: 'Field notes', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
  await expect(row('Nowhere').getByText(words.progress.failed)).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('button', { name: 'Open: Nowhere' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
  await expect(page.getByLabel('Server address')).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Open: Nowhere' })).toHaveCount(0);
});
