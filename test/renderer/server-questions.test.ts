import { words } from '../../renderer/words.ts';
import { anApproval } from './app-fixtures.ts';
import { aForm, aPage } from './question-fixtures.ts';
import { expect, test } from './renderer-test.ts';
import { untilAnswerable } from './until-answerable.ts';

const { questions } = words;
const answers = { 'question:answer': null };
const answerInputs = (calls: readonly { call: string; input: unknown }[]) =>
  calls.filter(({ call }) => call === 'question:answer').map(({ input }) => input);
const later = Date.now() + 3_600_000;

test.describe('a server that asks', () => {
  test('ignores input in the first second, and takes no key meant for something else', async ({ openWindow }) => {
    const { page, publish, calls } = await openWindow({ ownPage: true, answers });
    await page.clock.install();
    await page.clock.pauseAt(later);
    await publish({ questions: [aForm()] });
    const dialog = page.getByRole('dialog', { name: questions.during('Linear', 'mcp.linear.app', 'create_order') });
    await expect(dialog).toContainText('It leaves tomorrow.');
    await page.keyboard.type('typed for something else');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect(dialog.getByLabel('Street')).toHaveValue('');
    expect(answerInputs(await calls())).toEqual([]);
    await untilAnswerable(page, dialog.getByRole('button', { name: questions.send }));
    await page.keyboard.press('Escape');
    await expect.poll(async () => answerInputs(await calls())).toEqual([{ id: 'a-question', answer: 'cancel' }]);
  });

  test('gets the completed form once it is valid', async ({ openWindow }) => {
    const { page, publish, calls } = await openWindow({ ownPage: true, answers });
    await page.clock.install();
    await page.clock.pauseAt(later);
    await publish({ questions: [aForm()] });
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: questions.send });
    await untilAnswerable(page, send);
    await dialog.getByLabel('Street').fill('ab');
    await dialog.getByLabel('Mail').fill('nobody');
    await dialog.getByLabel('Floor').fill('2.5');
    await dialog.getByRole('checkbox', { name: 'A bow' }).click();
    await dialog.getByRole('checkbox', { name: 'Insurance' }).click();
    await send.click();
    await expect(dialog.getByText(words.tools.invalidValue)).toHaveCount(4);
    await expect(dialog.getByText(words.tools.required)).toHaveCount(1);
    await expect(dialog.getByLabel('Street')).toBeFocused();
    expect(answerInputs(await calls())).toEqual([]);
    await dialog.getByLabel('Street').fill('Main Street 1');
    await dialog.getByLabel('Mail').fill('');
    await dialog.getByLabel('Floor').fill('3');
    await dialog.getByLabel('It is a gift').selectOption(words.tools.no);
    await dialog.getByLabel('Size').selectOption('Medium');
    await dialog.getByRole('checkbox', { name: 'A card' }).click();
    await dialog.getByLabel('Street').press('Enter');
    const content = { street: 'Main Street 1', floor: 3, gift: false, size: 'm', extras: ['bow', 'insurance'] };
    await expect
      .poll(async () => answerInputs(await calls()))
      .toEqual([{ id: 'a-question', answer: 'accept', content }]);
  });

  test('gets a decline for a form', async ({ openWindow }) => {
    const { page, publish, calls } = await openWindow({ ownPage: true, answers });
    await page.clock.install();
    await publish({ questions: [aForm()] });
    const decline = page.getByRole('button', { name: questions.decline });
    await untilAnswerable(page, decline);
    await decline.click();
    await expect.poll(async () => answerInputs(await calls())).toEqual([{ id: 'a-question', answer: 'decline' }]);
    await publish({ questions: [] });
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('EL-08 for a secret is shown with a warning', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ answers });
    const warning = page.getByText(questions.secret);
    await publish({ questions: [aForm()] });
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(warning).toHaveCount(0);
    await publish({
      questions: [aForm({ id: 'b', fields: [{ name: 'a', label: 'Password', kind: 'text', required: true }] })],
    });
    await expect(warning).toBeVisible();
    await publish({ questions: [] });
  });

  test('EL-05 for a page shows the whole address, and warns of a host that looks like another', async ({
    openWindow,
  }) => {
    const { page, publish, calls } = await openWindow({ ownPage: true, answers });
    await page.clock.install();
    const shown = aPage({ isConfusable: true });
    await publish({ questions: [shown] });
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('https://pay.example/orders/2027/0317?session=9f2c41d07b&return=mcp');
    await expect(dialog).toContainText(questions.confusable);
    const open = dialog.getByRole('button', { name: questions.open });
    await untilAnswerable(page, open);
    await open.click();
    await expect.poll(async () => answerInputs(await calls())).toEqual([{ id: 'a-page', answer: 'accept' }]);
    await publish({ questions: [{ ...shown, state: 'opened' } as typeof shown] });
    await expect(dialog).toContainText(questions.opened);
    await dialog.getByRole('button', { name: words.common.cancel }).click();
    await dialog.getByRole('button', { name: questions.done }).click();
    await expect
      .poll(async () => answerInputs(await calls()).slice(1))
      .toEqual([
        { id: 'a-page', answer: 'cancel' },
        { id: 'a-page', answer: 'accept' },
      ]);
  });

  test('waits for an app’s request and for the question before', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ answers });
    await publish({ questions: [aForm(), aPage({ tool: undefined })], approvals: [anApproval()] });
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(page.getByRole('dialog')).toContainText(words.approval.meaning('Linear'));
    await publish({ approvals: [] });
    await expect(page.getByRole('dialog')).toContainText(words.approval.waiting(1));
    await publish({ questions: [aPage({ tool: undefined })] });
    await expect(page.getByRole('dialog', { name: questions.onItsOwn('Linear', 'mcp.linear.app') })).toBeVisible();
    await publish({ questions: [] });
  });
});
