import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { words } from '../../renderer/words.ts';
import { remedyOfFault } from '../../shared/error-catalog/network-errors.ts';
import { afterTest } from '../support/after-test.ts';
import { startResource } from '../support/demo-pair.ts';
import { freePort } from '../support/free-port.ts';
import { connected, start, tabTo } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

const notAllowed = words.errors.nextStep({ kind: 'allow-local', because: 'blocked' });
const nobodyThere = words.errors.nextStep(remedyOfFault('refused', 'http', true));

async function paste(page: Page, list: string): Promise<void> {
  await page.getByLabel('Server address').evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, list);
}

test('connects all entries of a pasted list that need no user action', async ({ openPostern }) => {
  const mcp = await startResource(undefined);
  const nowhere = `http://127.0.0.1:${await freePort()}/mcp`;
  const list = JSON.stringify({ mcpServers: { 'Field notes': { url: mcp.url }, Nowhere: { url: nowhere } } });
  const { page } = await openPostern();
  await paste(page, list);
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const cameTo = (counts: Partial<Parameters<typeof words.connect.importAllSummary>[0]>) =>
    page.getByText(words.connect.importAllSummary({ connected: 0, waiting: 0, failed: 0, left: 0, ...counts }));
  const all = page.getByRole('button', { name: words.connect.importAll(2) });
  // Both are on this computer, so they wait until that is allowed, once for the list.
  await expect(row('Nowhere')).toBeVisible();
  await expect(all).toHaveCount(0);
  await page.getByRole('checkbox', { name: words.connect.importLocal(2) }).check();
  await tabTo(page, all);
  await page.keyboard.press('Enter');
  await expect(cameTo({ connected: 1, failed: 1 })).toBeFocused();
  await expect(row('Field notes').getByText(words.connect.importConnected('Field notes'))).toBeVisible();
  await expect(row('Nowhere')).toContainText(nobodyThere);
});

test('entries with the same address become one server per different key', async ({ openPostern }) => {
  const keys = new Set(['1111', '2222']);
  const mcp = await startResource(undefined, {
    intercept: (request, response) => {
      if (keys.has(String(request.headers['x-key']))) return false;
      response.writeHead(401).end();
      return true;
    },
  });
  const entry = (key: string) => ({ url: mcp.url, headers: { 'X-Key': key } });
  const text = JSON.stringify({ mcpServers: { Work: entry('1111'), Home: entry('2222'), Office: entry('1111') } });
  const { page } = await openPostern();
  await paste(page, text);
  const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
  const isConnectedAs = async (name: string, connectedAs: string): Promise<void> =>
    await expect(row(name).getByText(words.connect.importConnected(connectedAs))).toBeVisible();
  await page.getByRole('checkbox', { name: words.connect.importLocal(3) }).check();
  await page.getByRole('button', { name: words.connect.importAll(3) }).click();
  const cameTo = { connected: 3, waiting: 0, failed: 0, left: 0 };
  await expect(page.getByText(words.connect.importAllSummary(cameTo))).toBeVisible();
  await isConnectedAs('Work', 'Work');
  await isConnectedAs('Home', 'Home');
  await isConnectedAs('Office', 'Work');
  // Another list recognizes them by their keys.
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await paste(page, JSON.stringify({ mcpServers: { Flat: entry('2222'), New: entry('3333') } }));
  await isConnectedAs('Flat', 'Home');
  await expect(page.getByRole('button', { name: `${words.connect.importConnect}: New` })).toBeVisible();
});

test('a pasted list stays until dismissed, with the outcome of each entry', async ({ openPostern }) => {
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
  const { page } = await openPostern();
  await paste(page, list);
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const toList = () => page.getByRole('button', { name: 'Back to the list' }).click();

  // In words, not by its internal name.
  await expect(row('Nowhere').getByText(words.connect.importNotes['header-unusable'])).toBeVisible();
  // All are on this computer, which must be allowed for each.
  for (const name of ['Silent', 'Nowhere', 'Field notes']) {
    await page.getByRole('button', { name: `Connect: ${name}` }).click();
    await row(name).getByText(notAllowed).waitFor();
    await page.getByRole('button', { name: `Open: ${name}` }).click();
    await page.getByRole('button', { name: 'Allow my computer or internal network' }).click();
    if (name === 'Silent') {
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await toList();
      await expect(row(name).getByText(words.progress.cancelled)).toBeVisible();
      // It can continue like any other.
      await page.getByRole('button', { name: 'Open: Silent' }).click();
      await expect(page.getByRole('button', { name: 'Check again' })).toBeEnabled();
      await toList();
    }
    if (name === 'Nowhere') {
      await expect(page.getByRole('alert').getByText(words.errors.stages.probe)).toBeVisible();
      await toList();
      await expect(row(name)).toContainText(nobodyThere);
    }
  }
  await start(page, 'add');
  await connected(page, 'Field notes');

  await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
  await page.getByRole('button', { name: 'Open: Field notes' }).click();
  await expect(page.getByRole('heading', { name: 'Field notes', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
  await expect(row('Nowhere')).toContainText(nobodyThere);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('button', { name: 'Open: Nowhere' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
  await expect(page.getByLabel('Server address')).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Open: Nowhere' })).toHaveCount(0);
});
