import { anApp } from './fixtures.ts';
import { someIntegrations } from './list-fixtures.ts';
import { openRenderer } from './open-renderer.ts';
import { somePrograms } from './program-fixtures.ts';
import { expect, test } from './renderer-test.ts';

test('a page that cannot be drawn leaves the window, says so, and is shown again', async ({
  browser,
  builtRenderer,
}) => {
  const programs = somePrograms();
  const snapshots = {
    app: anApp(),
    integrations: someIntegrations(),
    connections: [],
    collections: [],
    deletions: [],
    programs,
    approvals: [],
    heldCalls: [],
    questions: [],
  };
  // By itself: that something is thrown is no fault here.
  const { page, publish, close } = await openRenderer(browser, builtRenderer, { snapshots });
  const sidebar = page.getByRole('navigation');
  await sidebar.getByRole('button', { name: 'Programs' }).click();
  const title = page.getByRole('heading', { name: 'Programs', level: 1 });
  await expect(title).toBeVisible();

  // What no main says: a list of which the page cannot draw anything.
  await publish({ programs: 'stolen words' as unknown as typeof programs });
  const again = page.getByRole('alert').getByRole('button', { name: 'Show it again' });
  await expect(again).toBeVisible();
  await expect(page.locator('body')).not.toContainText(/stolen|TypeError|not a function/);
  await again.click();
  await expect(again).toBeVisible();
  await publish({ programs });
  await again.click();
  await expect(title).toBeVisible();

  await publish({ programs: 'stolen words' as unknown as typeof programs });
  await expect(again).toBeVisible();
  await sidebar.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await close();
});
