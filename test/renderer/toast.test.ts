import { expect, test } from './renderer-test.ts';

test('what was done is said over the content, which stays where it was and can be used', async ({ openWindow }) => {
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
  // Beside it, and in the list of places, everything can be clicked while it is there.
  await page.getByRole('button', { name: 'Settings', exact: true }).click({ trial: true });
  const place = await page.locator('.toast').boundingBox();
  const beside = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('.toast-place') === null, [
    (place?.x ?? 0) - 3,
    (place?.y ?? 0) + 10,
  ] as const);
  expect(beside).toBe(true);
  await said.getByRole('button', { name: 'Dismiss' }).click();
  await expect(said).toHaveCount(0);
});
