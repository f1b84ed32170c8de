import { expect, test } from './renderer-test.ts';

test('what was done is said below the content, which stays where it was and can be used', async ({ openWindow }) => {
  const answers = { 'integration:signOut': { revocation: 'revoked' } } as const;
  const { page } = await openWindow({ answers, width: 640, height: 720 });
  await page.getByRole('option', { name: 'Linear' }).click();
  const title = page.getByRole('heading', { name: 'Linear', level: 1 });
  const button = page.getByRole('button', { name: 'Sign out' });
  await button.scrollIntoViewIfNeeded();
  const before = await title.boundingBox();
  await button.click();
  const said = page.getByRole('status').filter({ hasText: 'You are signed out' });
  await expect(said).toBeVisible();
  expect(await title.boundingBox()).toEqual(before);
  // It takes the lowest part of the page, and covers nothing of the rest.
  const pane = await page.locator('main').boundingBox();
  const toast = await page.locator('.toast').boundingBox();
  expect((pane?.y ?? 0) + (pane?.height ?? 0)).toBeLessThanOrEqual(toast?.y ?? 0);
  for (const each of await page.locator('main').getByRole('button').all()) await each.click({ trial: true });
  await page.getByRole('button', { name: 'Settings', exact: true }).click({ trial: true });
  await said.getByRole('button', { name: 'Dismiss' }).click();
  await expect(said).toHaveCount(0);
});
