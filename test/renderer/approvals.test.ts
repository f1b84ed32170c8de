import { words } from '../../renderer/words.ts';
import { anApproval, missedApprovals, openApps } from './app-fixtures.ts';
import { expect, test } from './renderer-test.ts';
import { untilAnswerable } from './until-answerable.ts';

const answers = { 'approval:answer': null };
const answerInputs = (calls: readonly { call: string; input: unknown }[]) =>
  calls.filter(({ call }) => call === 'approval:answer').map(({ input }) => input);

test.describe('an app that asks for access', () => {
  test('ignores keys in the first second, then can be answered by keyboard', async ({ openWindow }) => {
    const { page, publish, calls } = await openWindow({ ownPage: true, answers });
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await publish({ approvals: [anApproval({ isSelfReported: true, startedBy: 'Cursor Helper' })] });
    const dialog = page.getByRole('dialog', { name: 'An app that calls itself “Cursor” wants to use Linear.' });
    await expect(dialog).toContainText(words.approval.startedBy('Cursor Helper'));
    await expect(dialog.getByRole('button', { name: 'Deny', exact: true })).toBeFocused();
    await page.clock.runFor(950);
    for (const key of ['Enter', 'Space', 'Escape']) await page.keyboard.press(key);
    await dialog.getByRole('button', { name: 'Always allow', exact: true }).focus();
    await page.keyboard.press('Enter');
    expect(answerInputs(await calls())).toEqual([]);
    await untilAnswerable(page, dialog.getByRole('button', { name: 'Always allow', exact: true }));
    await page.keyboard.press('Enter');
    await expect.poll(async () => answerInputs(await calls())).toEqual([{ id: 'an-approval', answer: 'always' }]);
    await publish({ approvals: [] });
    await expect(dialog).toHaveCount(0);
  });

  test('waits a second for each of several requests', async ({ openWindow }) => {
    const { page, publish, calls } = await openWindow({ ownPage: true, answers });
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const second = anApproval({ id: 'another', app: 'Zed', canLast: false });
    await publish({ approvals: [anApproval(), second] });
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(page.getByText(words.approval.waiting(1))).toBeVisible();
    await untilAnswerable(page, page.getByRole('button', { name: 'Deny', exact: true }));
    await page.keyboard.press('Escape');
    await expect.poll(async () => answerInputs(await calls())).toEqual([{ id: 'an-approval', answer: 'no' }]);
    await publish({ approvals: [second] });
    const dialog = page.getByRole('dialog', { name: 'Zed wants to use Linear.' });
    await expect(dialog.getByRole('button', { name: 'Always allow', exact: true })).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect.poll(async () => answerInputs(await calls())).toHaveLength(1);
    const once = dialog.getByRole('button', { name: 'Allow once' });
    await untilAnswerable(page, once);
    await once.click();
    await expect.poll(async () => answerInputs(await calls()).at(-1)).toEqual({ id: 'another', answer: 'once' });
  });

  test('stays under Apps if unanswered, without interrupting', async ({ openWindow }) => {
    const { page, publish, calls } = await openWindow({ ownPage: true, answers });
    await page.clock.install();
    await publish({ approvals: missedApprovals() });
    await openApps(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const question = page.getByRole('button', { name: 'Cursor wants to use Linear.' });
    await question.click();
    const dialog = page.getByRole('dialog', { name: 'Cursor wants to use Linear.' });
    await expect(dialog).toContainText(words.approval.whenAskedAgain);
    const allow = dialog.getByRole('button', { name: 'Always allow', exact: true });
    await untilAnswerable(page, allow);
    // Opening it is not an answer.
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    expect(answerInputs(await calls())).toEqual([]);
    await question.click();
    await untilAnswerable(page, allow);
    await allow.click();
    await expect.poll(async () => answerInputs(await calls())).toEqual([{ id: 'an-approval', answer: 'always' }]);
    await publish({ approvals: [] });
    await expect(page.getByRole('region', { name: 'Not answered yet' })).toHaveCount(0);
  });
});
