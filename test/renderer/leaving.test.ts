import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import { anIntegrationView } from './fixtures.ts';
import { aProgram, leavingPreviewed, madeOf, openPrograms } from './program-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const tokens = leavingPreviewed().previews.map(({ token }) => token);
const integrations = [anIntegrationView()];

/** With the keyboard alone. */
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
  test.describe(`${name} that programs have entries of`, () => {
    for (const { button, entries } of [
      { button: 'Take them out, then go on…', entries: tokens },
      { button: 'Leave them there…', entries: [] },
    ])
      test(`shows them all first, and one yes takes or leaves them: ${button}`, async ({ openWindow }) => {
        const answers = { 'program:previewLeaving': leavingPreviewed(), [call]: null };
        const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
        await begin(page);
        const dialog = page.getByRole('dialog');
        for (const { path } of leavingPreviewed().previews) await expect(dialog.getByText(path).first()).toBeVisible();
        await expect(dialog.getByRole('heading', { name: 'Windsurf is left alone' })).toBeVisible();
        expect((await calls()).filter((made) => made.call === call)).toEqual([]);
        await press(page, button);
        await expect(dialog).toHaveCount(0);
        const made = (await calls()).filter((each) => each.call === call || each.call === 'program:previewLeaving');
        expect(made).toEqual([
          { call: 'program:previewLeaving', input: what },
          { call, input: { ...input, entries } },
        ]);
      });

    test('leaves all as it is on Escape, with the focus where it was', async ({ openWindow }) => {
      const answers = { 'program:previewLeaving': leavingPreviewed(), [call]: null };
      const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
      await begin(page);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(page.getByRole('button', { name: from, exact: true })).toBeFocused();
      expect((await calls()).filter((made) => made.call === call)).toEqual([]);
    });
  });

test('a program that was revoked is offered to have its entries taken out, at once and later', async ({
  openWindow,
}) => {
  const { previews } = leavingPreviewed();
  const shown = { previews: previews.slice(0, 1), refused: [] };
  const answers = {
    'program:revoke': { revoked: [] },
    'program:previewLeaving': shown,
    'program:change': madeOf(...shown.previews),
  };
  const { page, publish, calls } = await openWindow({
    snapshots: { integrations, programs: [aProgram({ uses: ['linear'] })] },
    answers,
  });
  await openPrograms(page);
  await page.getByRole('button', { name: 'Cursor' }).click();
  await press(page, 'Revoke access…');
  const dialog = page.getByRole('dialog', { name: 'Take the entries of Postern out of Cursor?' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await publish({ programs: [aProgram({ uses: [], isRevoked: true })] });
  await press(page, 'Take its entries out…');
  await dialog.getByRole('button', { name: 'Change file' }).click();
  await expect(dialog).toHaveCount(0);
  const made = (await calls()).filter(({ call }) => call.startsWith('program:') && call !== 'program:find');
  expect(made).toEqual([
    { call: 'program:revoke', input: { program: 'cursor' } },
    { call: 'program:previewLeaving', input: { program: 'cursor' } },
    { call: 'program:previewLeaving', input: { program: 'cursor' } },
    { call: 'program:change', input: { tokens: tokens.slice(0, 1) } },
  ]);
});
