import { words } from '../../renderer/words.ts';
import { anIntegrationView } from './fixtures.ts';
import { aProgram, previewed } from './program-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const integrations = [
  anIntegrationView(),
  anIntegrationView({ id: 'notes', name: 'Notes', status: { name: 'signIn' } }),
];
const work = { id: '+work', name: 'Work', members: ['notes'] };
const own = words.programs.collections;

test('a collection is made with the keyboard alone, and what was typed outlasts Escape', async ({ openWindow }) => {
  const answers = { 'collection:save': { name: 'work', members: [] } };
  const { page, calls, publish } = await openWindow({ snapshots: { integrations, collections: [] }, answers });
  await page.getByRole('button', { name: words.programs.title, exact: true }).click();
  await page.getByRole('button', { name: own.add }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: own.new });
  await page.keyboard.type('Work things');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox')).toHaveValue('Work things');
  // What a server that is signed out means stands beside it.
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
  // In the order in which they were chosen.
  const input = { name: 'Work things', members: ['notes', 'linear'] };
  expect(await calls()).toContainEqual({ call: 'collection:save', input });
  await publish({ collections: [work] });
  await expect(page.getByText(own.state(1, []))).toBeVisible();
});

test('a collection says who uses it, and is used, changed and removed as servers are', async ({ openWindow }) => {
  const answers = {
    'program:preview': previewed(),
    'program:previewLeaving': { previews: [], refused: [] },
    'collection:save': { name: 'work', members: [] },
    'collection:remove': null,
  };
  const programs = [aProgram({ uses: ['+work'] })];
  const { page, calls } = await openWindow({ snapshots: { integrations, collections: [work], programs }, answers });
  await page.getByRole('button', { name: words.programs.title, exact: true }).click();
  await expect(page.getByText(own.state(1, ['Cursor']))).toBeVisible();
  // A server that it uses by the collection counts.
  await expect(page.getByRole('button', { name: 'Cursor uses 1 of 2' })).toBeVisible();

  await page.getByRole('button', { name: `${words.arrange.use} Work` }).click();
  const using = page.getByRole('dialog', { name: words.programs.offer('Work') });
  await using.getByRole('checkbox', { name: 'Cursor' }).click();
  await using.getByRole('button', { name: words.programs.look }).click();
  const changes = [{ program: 'cursor', integrations: ['+work'], use: false }];
  await expect.poll(calls).toContainEqual({ call: 'program:preview', input: { changes } });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: `${own.change} Work` }).click();
  const dialog = page.getByRole('dialog', { name: 'Work' });
  await dialog.getByRole('textbox').fill('Office');
  await dialog.getByRole('button', { name: words.common.save }).click();
  const saved = { id: '+work', name: 'Office', members: ['notes'] };
  await expect.poll(calls).toContainEqual({ call: 'collection:save', input: saved });

  await page.getByRole('button', { name: `${words.integration.menu.remove} Work` }).click();
  await expect.poll(calls).toContainEqual({ call: 'program:previewLeaving', input: { integrations: ['+work'] } });
  await expect.poll(calls).toContainEqual({ call: 'collection:remove', input: { id: '+work', entries: [] } });
});
