import { words } from '../../renderer/words.ts';
import { anIntegrationView } from './fixtures.ts';
import { aApp, previewed } from './app-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const integrations = [
  anIntegrationView(),
  anIntegrationView({ id: 'notes', name: 'Notes', status: { name: 'signIn' } }),
];
const work = { id: '+work', name: 'Work', members: ['notes'] };
const own = words.apps.collections;

test('a collection is created by keyboard, and typed input survives Escape', async ({ openWindow }) => {
  const answers = { 'collection:save': { name: 'work', members: [] } };
  const { page, calls, publish } = await openWindow({ snapshots: { integrations, collections: [] }, answers });
  await page.getByRole('button', { name: words.apps.title, exact: true }).click();
  await page.getByRole('button', { name: own.add }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: own.new });
  await page.keyboard.type('Work things');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox')).toHaveValue('Work things');
  // A signed-out server has a note.
  await expect(dialog.getByRole('checkbox', { name: 'Notes' })).toHaveAccessibleDescription(words.status.signIn);
  await dialog.getByRole('textbox').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await dialog.getByRole('textbox').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await dialog.getByRole('textbox').focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  // In the order they were chosen.
  const input = { name: 'Work things', members: ['notes', 'linear'] };
  expect(await calls()).toContainEqual({ call: 'collection:save', input });
  await publish({ collections: [work] });
  await expect(page.getByText(own.state(1, []))).toBeVisible();
});

test('a collection shows which apps use it, and is used, changed and removed like a server', async ({ openWindow }) => {
  const answers = {
    'app:preview': previewed(),
    'app:previewLeaving': { previews: [], refused: [] },
    'collection:save': { name: 'work', members: [] },
    'collection:remove': null,
  };
  const apps = [aApp({ uses: ['+work'] })];
  const { page, calls } = await openWindow({ snapshots: { integrations, collections: [work], apps }, answers });
  await page.getByRole('button', { name: words.apps.title, exact: true }).click();
  await expect(page.getByText(own.state(1, ['Cursor']))).toBeVisible();
  // Servers used through the collection count.
  await expect(page.getByRole('button', { name: 'Cursor uses 1 of 2' })).toBeVisible();

  await page.getByRole('button', { name: `${words.arrange.use} Work` }).click();
  const using = page.getByRole('dialog', { name: words.apps.useInApps('Work') });
  await using.getByRole('checkbox', { name: 'Cursor' }).click();
  await using.getByRole('button', { name: words.apps.reviewChanges }).click();
  const changes = [{ app: 'cursor', integrations: ['+work'], use: false }];
  await expect.poll(calls).toContainEqual({ call: 'app:preview', input: { changes } });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: `${own.change} Work` }).click();
  const dialog = page.getByRole('dialog', { name: 'Work' });
  await dialog.getByRole('textbox').fill('Office');
  await dialog.getByRole('button', { name: words.common.save }).click();
  const saved = { id: '+work', name: 'Office', members: ['notes'] };
  await expect.poll(calls).toContainEqual({ call: 'collection:save', input: saved });

  await page.getByRole('button', { name: `${words.integration.menu.remove} Work` }).click();
  await expect.poll(calls).toContainEqual({ call: 'app:previewLeaving', input: { integrations: ['+work'] } });
  await expect.poll(calls).toContainEqual({ call: 'collection:remove', input: { id: '+work', entries: [] } });
});
