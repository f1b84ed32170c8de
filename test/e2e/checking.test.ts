import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { words } from '../../renderer/words.ts';
import { afterTest } from '../support/after-test.ts';
import { startPair, startResource } from '../support/demo-pair.ts';
import { freePort } from '../support/free-port.ts';
import { look } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

test.describe('a check of an address', () => {
  test('that fails leaves nothing in the sidebar, and is fixed without retyping', async ({ openPostern }) => {
    const mcp = await startResource(undefined);
    const mistyped = `http://127.0.0.1:${await freePort()}/mcp`;
    const { page } = await openPostern();
    const inProgress = page.locator('.connection-list');
    await look(page, mistyped);
    const notice = page.getByRole('alert');
    await expect(notice.getByText(words.errors.stages.probe)).toBeVisible();
    await expect(inProgress).toHaveCount(0);

    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await expect(inProgress).toHaveCount(0);
    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    await expect(page.getByLabel('Server address')).toHaveValue(mistyped);
    await expect(page.getByRole('checkbox', { name: 'my computer or internal network' })).toBeChecked();
    await expect(notice).toBeVisible();

    // Its error and the local permission belong to that address and return with it.
    const field = page.getByLabel('Server address');
    await field.fill('api.githubcopilto.com/mcp/');
    await expect(notice).toHaveCount(0);
    await expect(page.getByRole('checkbox', { name: 'my computer or internal network' })).not.toBeChecked();
    await page.getByRole('region', { name: words.catalog.didYouMean }).getByRole('button', { name: 'GitHub' }).click();
    await expect(page.getByRole('heading', { name: 'GitHub', exact: true })).toBeVisible();
    await field.fill(mistyped);
    await expect(notice).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'my computer or internal network' })).toBeChecked();

    const port = await freePort();
    await look(page, `http://127.0.0.1:${port}/mcp`);
    await expect(notice.getByText(`127.0.0.1:${port}`)).toBeVisible();
    await look(page, mcp.url);
    await expect(page.getByText(words.connect.verdict.noSignIn)).toBeVisible();
    await expect(inProgress.getByRole('button')).toHaveCount(1);

    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    await expect(page.getByLabel('Server address')).toHaveValue('');
  });

  test('completes an address without a scheme with https, and shows it whole', async ({ openPostern }) => {
    const asked: (string | undefined)[] = [];
    const proxy = createHttpServer().on('connect', ({ url }, socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    proxy.listen(0, '127.0.0.1');
    afterTest(() => void proxy.close());
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const { page } = await openPostern({ env: { HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '' } });
    const field = page.getByLabel('Server address');
    await field.fill('notes.example/mcp');
    await field.press('Enter');
    await expect.poll(() => asked).toContain('notes.example:443');
    await expect(page.getByRole('alert').getByText(words.errors.stages.probe)).toBeVisible();
    await expect(field).toHaveValue('https://notes.example/mcp');
  });

  test('ignores what is typed meanwhile; the next check uses it', async ({ openPostern }) => {
    const mcp = await startResource(undefined);
    const silent = createServer().listen(0, '127.0.0.1');
    afterTest(() => void silent.close());
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`;
    const { page } = await openPostern();
    const field = page.getByLabel('Server address');
    const connected = once(silent, 'connection');
    await look(page, url);
    await field.press('Control+a');
    await field.pressSequentially(mcp.url.slice(0, 10));
    const [connection] = (await connected) as [Socket];
    await field.pressSequentially(mcp.url.slice(10));
    connection.destroy();
    // The outcome of the first does not affect the second.
    await expect(page.getByRole('button', { name: words.connect.continue, exact: true })).toBeEnabled();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(field).toHaveValue(mcp.url);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    await field.press('Enter');
    await expect(page.getByText(words.connect.verdict.noSignIn)).toBeVisible();
    await expect(field).toHaveValue(mcp.url);
  });

  test('that is cancelled leaves nothing in the sidebar and keeps the address in its field', async ({
    openPostern,
  }) => {
    const silent = createServer().listen(0, '127.0.0.1');
    afterTest(() => void silent.close());
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`;
    const { page } = await openPostern();
    const connected = once(silent, 'connection');
    await look(page, url);
    await connected;
    await expect(page.locator('.connection-list')).toHaveCount(0);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Check again' })).toBeEnabled();
    await expect(page.getByLabel('Server address')).toHaveValue(url);
    await expect(page.locator('.connection-list')).toHaveCount(0);

    await page.getByRole('button', { name: 'Start over' }).click();
    await expect(page.getByLabel('Server address')).toHaveValue('');
    await expect(page.getByLabel('Server address')).toBeFocused();
  });

  test('is in the sidebar once its server has responded, until it is connected or discarded', async ({
    openPostern,
  }) => {
    const { mcp } = await startPair();
    const { page } = await openPostern();
    await look(page, mcp.url);
    const entry = page.locator('.connection-list').getByRole('button');
    await expect(entry).toHaveCount(1);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await entry.click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(entry).toHaveCount(0);
    await expect(page.getByLabel('Server address')).toHaveValue('');
  });
});
