import { words } from '../../renderer/words.ts';
import { afterTest } from '../support/after-test.ts';
import { startResource } from '../support/demo-pair.ts';
import { anEntry, startRegistry } from '../support/registry-server.ts';
import { connected, start } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

test('a registry server is found once the search is on, then selected, checked and connected', async ({
  openPostern,
}) => {
  const mcp = await startResource(undefined);
  const registry = await startRegistry();
  afterTest(() => registry[Symbol.asyncDispose]());
  registry.publish(
    anEntry('com.example/practice', mcp.url, { title: 'Practice', description: 'For trying things out' }),
    anEntry('io.github.someone/practice-notion', 'https://notion.evil.example/mcp', { title: 'Notion practice' }),
  );
  const { page } = await openPostern();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByText(words.settings.advanced, { exact: true }).click();
  const settings = page.getByRole('region', { name: words.settings.sections.registry });
  await settings.getByLabel(words.registry.address).fill(registry.origin);
  await settings.getByRole('button', { name: words.common.save }).click();
  await expect(settings.getByRole('button', { name: words.registry.official })).toBeVisible();

  await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
  await page.getByLabel('Server address').fill('practice');
  expect(registry.received()).toBe('');
  await page.getByRole('checkbox', { name: words.registry.choose }).click();
  const place = `127.0.0.1:${registry.port}`;
  await page.getByRole('button', { name: words.registry.search('practice', place) }).click();
  await expect(page.locator('.registry-row')).toHaveCount(2);
  expect(registry.searches.map((search) => search.words)).toEqual(['practice']);
  await page.getByRole('button', { name: words.registry.openOf('Practice') }).click();
  // Opening it sent no request.
  await expect(page.locator('.connection-list')).toHaveCount(0);
  await page.getByRole('button', { name: words.registry.check, exact: true }).click();
  // The user must allow a local address, even a published one.
  await page.getByRole('button', { name: words.errors.actions.local }).click();
  await start(page, 'add', 'Practice');
  await connected(page, 'Practice');
});
