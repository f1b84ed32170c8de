import { openAdvancedSettings } from './app-fixtures.ts';
import { aDesktop } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

const own = { ...aDesktop().settings, gatewayPort: 47_612 };

test('allows one origin, and rejects values that name several or none', async ({ openWindow }) => {
  const { page, calls } = await openWindow({ snapshots: { desktop: aDesktop({ settings: own }) } });
  await openAdvancedSettings(page);
  const field = page.getByLabel('Allowed web page');
  const save = page.locator('form').filter({ has: field }).getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  for (const wrong of ['*', 'https://*.example.com', 'http://tools.example.com']) {
    await field.fill(wrong);
    await field.press('Enter');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await field.press('End');
    await field.press('x');
    await expect(field).not.toHaveAttribute('aria-invalid', 'true');
  }
  expect((await calls()).map(({ call }) => call)).not.toContain('settings:update');
  await field.fill('http://localhost:6274/tools');
  await field.press('Enter');
  const change = { call: 'settings:update', input: { allowedOrigin: 'http://localhost:6274' } };
  await expect.poll(async () => (await calls()).at(-1)).toEqual(change);
});

test('revokes the allowed origin with one button, by keyboard', async ({ openWindow }) => {
  const desktop = aDesktop({ settings: { ...own, allowedOrigin: 'http://localhost:6274' } });
  const { page, calls } = await openWindow({ snapshots: { desktop } });
  await openAdvancedSettings(page);
  await page.getByRole('button', { name: 'Allow none' }).focus();
  await page.keyboard.press('Enter');
  const change = { call: 'settings:update', input: { allowedOrigin: null } };
  await expect.poll(async () => (await calls()).at(-1)).toEqual(change);
});
