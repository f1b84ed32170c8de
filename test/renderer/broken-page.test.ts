import { aDesktop } from './fixtures.ts';
import { someIntegrations } from './list-fixtures.ts';
import { openRenderer } from './open-renderer.ts';
import { someApps } from './app-fixtures.ts';
import { expect, test } from './renderer-test.ts';

test('a page that fails to render leaves the window usable, reports it and can be reopened', async ({
  browser,
  builtRenderer,
}) => {
  const apps = someApps();
  const snapshots = {
    desktop: aDesktop(),
    integrations: someIntegrations(),
    connections: [],
    collections: [],
    deletions: [],
    apps,
    approvals: [],
    heldCalls: [],
    questions: [],
  };
  // Opened separately, because an exception is expected here.
  const { page, publish, close } = await openRenderer(browser, builtRenderer, { snapshots });
  const sidebar = page.getByRole('navigation');
  await sidebar.getByRole('button', { name: 'AI apps' }).click();
  const title = page.getByRole('heading', { name: 'AI apps', level: 1 });
  await expect(title).toBeVisible();

  // Invalid on purpose: a list that the page cannot render.
  await publish({ apps: 'stolen words' as unknown as typeof apps });
  const again = page.getByRole('alert').getByRole('button', { name: 'Reload page' });
  await expect(again).toBeVisible();
  await expect(page.locator('body')).not.toContainText(/stolen|TypeError|not a function/);
  await again.click();
  await expect(again).toBeVisible();
  await publish({ apps });
  await again.click();
  await expect(title).toBeVisible();

  await publish({ apps: 'stolen words' as unknown as typeof apps });
  await expect(again).toBeVisible();
  await sidebar.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await close();
});
