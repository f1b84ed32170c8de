import { words } from '../../renderer/words.ts';
import { answerQuestions, questionsAsked } from './kit/answer-questions.ts';
import { profileWith } from './kit/open-postern.ts';
import { expect, test } from './kit/window-test.ts';

const { arrange } = words;

test.describe('the sidebar', () => {
  test('removes several servers with one question and restores them with one undo', async ({ openPostern }) => {
    const postern = await openPostern({ profile: profileWith(4) });
    const { page } = postern;
    await answerQuestions(postern, 'yes');
    const rows = page.getByRole('option');
    await expect(rows).toHaveCount(4);
    await rows.nth(0).click();
    await rows.nth(2).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Delete');
    await expect(rows).toHaveCount(1);
    expect(await questionsAsked(postern)).toHaveLength(1);
    await page.getByRole('button', { name: words.deletion.undo }).click();
    await expect(rows).toHaveCount(4);
    await expect(page.locator('.toast', { hasText: words.deletion.restored.remove('', 3) })).toBeVisible();
  });

  test('keeps its order after a restart', async ({ openPostern }) => {
    const profile = profileWith(4);
    const first = await openPostern({ profile });
    const { page } = first;
    const rows = page.getByRole('option');
    await rows.nth(3).click();
    await rows.nth(2).click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: arrange.actions }).click();
    await page.getByRole('menuitem', { name: arrange.move }).click();
    await page.getByLabel(arrange.groupName).fill('Work');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('treeitem', { name: /^Work/ })).toHaveAttribute('aria-expanded', 'true');
    await page.getByRole('treeitem', { name: /^Work/ }).click();
    await expect(page.getByRole('treeitem')).toHaveCount(3);
    await page.getByRole('button', { name: arrange.fold }).click();
    await expect(page.getByRole('button', { name: arrange.unfold })).toBeVisible();
    await first.close();

    const again = (await openPostern({ profile })).page;
    await expect(again.getByRole('treeitem')).toHaveCount(3);
    await again.getByRole('button', { name: arrange.unfold }).click();
    await expect(again.getByRole('treeitem', { name: /^Work/ })).toHaveAttribute('aria-expanded', 'false');
    await again.getByRole('treeitem', { name: /^Work/ }).click();
    await expect(again.getByRole('treeitem')).toHaveCount(5);
  });
});
