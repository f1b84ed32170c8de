import { words } from '../../renderer/words.ts';
import { describeError } from '../../shared/error-codes.ts';
import { aDesktop, anError } from './fixtures.ts';
import { changePort, madeOf, openAdvancedSettings, portPreviewed, severalMade, typePort } from './app-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const desktop = aDesktop({ settings: { ...aDesktop().settings, gatewayPort: 47_612 } });

test('the gateway port changes with the entries that contain it, after a preview', async ({ openWindow }) => {
  const answers = {
    'app:previewPort': portPreviewed(),
    'app:changePort': madeOf(...portPreviewed().previews),
  };
  const { page, calls } = await openWindow({ snapshots: { desktop }, answers });
  await changePort(page);
  const dialog = page.getByRole('dialog', { name: 'Update the entries that contain the port?' });
  await expect(dialog.getByRole('list', { name: 'Added lines' })).toContainText('127.0.0.1:47650');
  expect((await calls()).map(({ call }) => call)).not.toContain('app:changePort');
  await dialog.getByRole('button', { name: 'Change file' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  const made = (await calls()).filter(({ call }) => ['app:change', 'app:changePort'].includes(call));
  const tokens = portPreviewed().previews.map(({ token }) => token);
  expect(made).toEqual([{ call: 'app:changePort', input: { port: 47_650, tokens } }]);
});

test('the gateway port and the entries stay unchanged on Escape', async ({ openWindow }) => {
  const answers = { 'app:previewPort': portPreviewed() };
  const { page, calls } = await openWindow({ snapshots: { desktop }, answers });
  await changePort(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect((await calls()).map(({ call }) => call)).not.toContain('app:changePort');
});

test('the gateway port changes at once if no entry contains it', async ({ openWindow }) => {
  const answers = { 'app:previewPort': { previews: [], refused: [] } };
  const { page, calls } = await openWindow({ snapshots: { desktop }, answers });
  await typePort(page);
  const change = { call: 'app:changePort', input: { port: 47_650, tokens: [] } };
  await expect.poll(async () => (await calls()).at(-1)).toEqual(change);
});

test('the gateway port can be changed if the only file that may contain it is not changed', async ({ openWindow }) => {
  const { refused } = severalMade();
  const name = refused[0]?.name ?? '';
  const answers = {
    'app:previewPort': { previews: [], refused },
    'app:changePort': { made: [], refused: [] },
  };
  const { page, calls } = await openWindow({ snapshots: { desktop }, answers });
  await changePort(page);
  const dialog = page.getByRole('dialog', { name: words.settings.gatewayPortRenew });
  await expect(dialog).toContainText(words.apps.unchanged(name));
  await dialog.getByRole('button', { name: words.settings.gatewayPortChange }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect((await calls()).at(-1)).toEqual({ call: 'app:changePort', input: { port: 47_650, tokens: [] } });
});

test('an entry that could not be updated stays in the window after the port changed', async ({ openWindow }) => {
  const { refused } = severalMade();
  const name = refused[0]?.name ?? '';
  const answers = { 'app:previewPort': portPreviewed(), 'app:changePort': { made: [], refused } };
  const { page, publish } = await openWindow({ snapshots: { desktop }, answers });
  await changePort(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Change file' }).click();
  await publish({ desktop: aDesktop({ settings: { ...desktop.settings, gatewayPort: 47_650 } }) });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: words.apps.unchanged(name) })).toBeVisible();
  await expect(page.getByLabel('Port for apps')).toHaveValue('47650');
});

const portInUse = aDesktop({
  settings: desktop.settings,
  httpTrouble: anError({ code: 'GATEWAY_PORT', stage: 'gateway', ...describeError('GATEWAY_PORT', { port: 47_612 }) }),
});

test('a port in use is shown until it is open, and can be retried by keyboard', async ({ openWindow }) => {
  const answers = { 'app:openPort': { isOpen: false } };
  const { page, calls, publish } = await openWindow({ snapshots: { desktop: portInUse }, answers });
  const notice = page.locator('.toast').filter({ hasText: describeError('GATEWAY_PORT', { port: 47_612 }).message });
  await notice.getByRole('button', { name: 'Try again' }).focus();
  await page.keyboard.press('Enter');
  await expect(notice).toContainText(words.background.portStill);
  await expect.poll(calls).toContainEqual({ call: 'app:openPort', input: {} });
  await publish({ desktop });
  await expect(notice).toHaveCount(0);
});

test('a port in use leads to the field for another one', async ({ openWindow }) => {
  const { page } = await openWindow({ snapshots: { desktop: portInUse } });
  await page.getByRole('button', { name: 'Choose another port' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Port for apps')).toBeFocused();
});

test('an invalid port is flagged until another one is typed', async ({ openWindow }) => {
  const { page, calls } = await openWindow({ snapshots: { desktop } });
  await openAdvancedSettings(page);
  const field = page.getByLabel('Port for apps');
  await field.fill('80');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill('800');
  await expect(field).not.toHaveAttribute('aria-invalid', 'true');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  expect((await calls()).map(({ call }) => call)).not.toContain('app:changePort');
});
