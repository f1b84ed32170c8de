import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { anIntegrationView } from './fixtures.ts';
import { aApp, leavingPreviewed, madeOf, openApps } from './app-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const tokens = leavingPreviewed().previews.map(({ token }) => token);
const integrations = [anIntegrationView()];

/** By keyboard. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
}

const remove = {
  name: 'removing a server',
  call: 'integration:remove',
  what: { integrations: ['linear'] },
  input: { ids: ['linear'] },
  from: words.integration.more,
  begin: async (page: Page) => {
    await page.getByRole('option', { name: 'Linear' }).first().click();
    await press(page, words.integration.more);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
  },
} as const;
const deleteAll = {
  name: 'deleting all data',
  call: 'storage:deleteEverything',
  what: { everything: true },
  input: {},
  from: 'Delete all data…',
  begin: async (page: Page) => {
    await page.keyboard.press('Control+,');
    await press(page, 'Delete all data…');
  },
} as const;

for (const { name, call, what, input, from, begin } of [remove, deleteAll])
  test.describe(`${name} with entries in apps`, () => {
    for (const { button, entries } of [
      { button: 'Remove entries and continue…', entries: tokens },
      { button: 'Leave entries…', entries: [] },
    ])
      test(`shows all entries first, and one button removes or leaves them: ${button}`, async ({ openWindow }) => {
        const answers = { 'app:previewLeaving': leavingPreviewed(), [call]: null };
        const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
        await begin(page);
        const dialog = page.getByRole('dialog');
        for (const { path } of leavingPreviewed().previews) await expect(dialog.getByText(path).first()).toBeVisible();
        await expect(dialog.getByRole('heading', { name: 'Windsurf is not changed' })).toBeVisible();
        expect((await calls()).filter((made) => made.call === call)).toEqual([]);
        await press(page, button);
        await expect(dialog).toHaveCount(0);
        const made = (await calls()).filter((each) => each.call === call || each.call === 'app:previewLeaving');
        expect(made).toEqual([
          { call: 'app:previewLeaving', input: what },
          { call, input: { ...input, entries } },
        ]);
      });

    test('changes nothing on Escape and restores focus', async ({ openWindow }) => {
      const answers = { 'app:previewLeaving': leavingPreviewed(), [call]: null };
      const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
      await begin(page);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(page.getByRole('button', { name: from, exact: true })).toBeFocused();
      expect((await calls()).filter((made) => made.call === call)).toEqual([]);
    });
  });

test('the entries of a revoked app can be removed at once or later', async ({ openWindow }) => {
  const { previews } = leavingPreviewed();
  const previewed = { previews: previews.slice(0, 1), refused: [] };
  const answers = {
    'app:revoke': { revoked: [] },
    'app:previewLeaving': previewed,
    'app:change': madeOf(...previewed.previews),
  };
  const { page, publish, calls } = await openWindow({
    snapshots: { integrations, apps: [aApp({ uses: ['linear'] })] },
    answers,
  });
  await openApps(page);
  await page.getByRole('button', { name: 'Cursor' }).click();
  await press(page, 'Revoke access…');
  const dialog = page.getByRole('dialog', { name: 'Remove the Postern entries from Cursor?' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await publish({ apps: [aApp({ uses: [], isRevoked: true })] });
  await press(page, 'Remove entries…');
  await dialog.getByRole('button', { name: 'Change file' }).click();
  await expect(dialog).toHaveCount(0);
  const made = (await calls()).filter(({ call }) => call.startsWith('app:') && !/:(?:find|icon)$/.test(call));
  expect(made).toEqual([
    { call: 'app:revoke', input: { app: 'cursor' } },
    { call: 'app:previewLeaving', input: { app: 'cursor' } },
    { call: 'app:previewLeaving', input: { app: 'cursor' } },
    { call: 'app:change', input: { tokens: tokens.slice(0, 1) } },
  ]);
});
