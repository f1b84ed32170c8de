import { words } from '../../renderer/words.ts';
import { describeError } from '../../shared/error-codes.ts';
import { anApp, anError } from './fixtures.ts';
import { changePort, madeOf, portPreviewed, severalMade, typePort } from './program-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const app = anApp({ settings: { ...anApp().settings, gatewayPort: 47_612 } });

test('the port for programs changes with the entries that hold it, after a look at them', async ({ openWindow }) => {
  const answers = {
    'program:previewPort': portPreviewed(),
    'program:changePort': madeOf(...portPreviewed().previews),
  };
  const { page, calls } = await openWindow({ snapshots: { app }, answers });
  await changePort(page);
  const dialog = page.getByRole('dialog', { name: 'Renew the entries that hold the port?' });
  await expect(dialog.getByRole('list', { name: 'Lines that come' })).toContainText('127.0.0.1:47650');
  expect((await calls()).map(({ call }) => call)).not.toContain('program:changePort');
  await dialog.getByRole('button', { name: 'Change file' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  const made = (await calls()).filter(({ call }) => ['program:change', 'program:changePort'].includes(call));
  const tokens = portPreviewed().previews.map(({ token }) => token);
  expect(made).toEqual([{ call: 'program:changePort', input: { port: 47_650, tokens } }]);
});

test('the port for programs stays with the entries on Escape', async ({ openWindow }) => {
  const answers = { 'program:previewPort': portPreviewed() };
  const { page, calls } = await openWindow({ snapshots: { app }, answers });
  await changePort(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect((await calls()).map(({ call }) => call)).not.toContain('program:changePort');
});

test('the port for programs changes at once where no entry holds it', async ({ openWindow }) => {
  const answers = { 'program:previewPort': { previews: [], refused: [] } };
  const { page, calls } = await openWindow({ snapshots: { app }, answers });
  await typePort(page);
  const change = { call: 'program:changePort', input: { port: 47_650, tokens: [] } };
  await expect.poll(async () => (await calls()).at(-1)).toEqual(change);
});

test('the port for programs can be changed where the only file that may hold it is left alone', async ({
  openWindow,
}) => {
  const { refused } = severalMade();
  const name = refused[0]?.name ?? '';
  const answers = {
    'program:previewPort': { previews: [], refused },
    'program:changePort': { made: [], refused: [] },
  };
  const { page, calls } = await openWindow({ snapshots: { app }, answers });
  await changePort(page);
  const dialog = page.getByRole('dialog', { name: words.settings.gatewayPortRenew });
  await expect(dialog).toContainText(words.programs.leftAlone(name));
  await dialog.getByRole('button', { name: words.settings.gatewayPortChange }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect((await calls()).at(-1)).toEqual({ call: 'program:changePort', input: { port: 47_650, tokens: [] } });
});

test('an entry that could not be renewed stays in the window once the port has changed', async ({ openWindow }) => {
  const { refused } = severalMade();
  const name = refused[0]?.name ?? '';
  const answers = { 'program:previewPort': portPreviewed(), 'program:changePort': { made: [], refused } };
  const { page, publish } = await openWindow({ snapshots: { app }, answers });
  await changePort(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Change file' }).click();
  await publish({ app: anApp({ settings: { ...app.settings, gatewayPort: 47_650 } }) });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: words.programs.leftAlone(name) })).toBeVisible();
  await expect(page.getByLabel('Port for programs')).toHaveValue('47650');
});

const taken = anApp({
  settings: app.settings,
  httpTrouble: anError({ code: 'GATEWAY_PORT', stage: 'gateway', ...describeError('GATEWAY_PORT', { port: 47_612 }) }),
});

test('a taken port stands in the window until it is open, and is tried again by keyboard', async ({ openWindow }) => {
  const answers = { 'program:openPort': { isOpen: false } };
  const { page, calls, publish } = await openWindow({ snapshots: { app: taken }, answers });
  const notice = page.locator('.toast').filter({ hasText: describeError('GATEWAY_PORT', { port: 47_612 }).message });
  await notice.getByRole('button', { name: 'Try again' }).focus();
  await page.keyboard.press('Enter');
  await expect(notice).toContainText(words.background.portStill);
  await expect.poll(calls).toContainEqual({ call: 'program:openPort', input: {} });
  await publish({ app });
  await expect(notice).toHaveCount(0);
});

test('a taken port leads to the field where another one is chosen', async ({ openWindow }) => {
  const { page } = await openWindow({ snapshots: { app: taken } });
  await page.getByRole('button', { name: 'Choose another port' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Port for programs')).toBeFocused();
});

test('a port that cannot be one is said so until another one is typed', async ({ openWindow }) => {
  const { page, calls } = await openWindow({ snapshots: { app } });
  await page.keyboard.press('Control+,');
  const field = page.getByLabel('Port for programs');
  await field.fill('80');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill('800');
  await expect(field).not.toHaveAttribute('aria-invalid', 'true');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  expect((await calls()).map(({ call }) => call)).not.toContain('program:changePort');
});
