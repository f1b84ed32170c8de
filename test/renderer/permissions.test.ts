import { words } from '../../renderer/words.ts';
import { manyTools, tools } from './answer-fixtures.ts';
import { anIntegrationView } from './fixtures.ts';
import { aHeldCall, someChanges, someGone, somePermissions } from './permission-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const { permits } = words;
const answers = { 'permission:answer': null, 'permission:set': null, 'integration:tools': tools } as const;
const inputsOf = (calls: readonly { call: string; input: unknown }[], name: string) =>
  calls.filter(({ call }) => call === name).map(({ input }) => input);

test.describe('a call that waits for the user', () => {
  test('shows what is called, ignores keys in the first second, then can be answered by keyboard', async ({
    openWindow,
  }) => {
    const { page, publish, calls } = await openWindow({ ownPage: true, isAsking: true, answers });
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await publish({ heldCalls: [aHeldCall(), aHeldCall({ id: 'second', canLast: false })] });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(permits.asks('Cursor', 'Linear'));
    await expect(page.getByText('delete_issue', { exact: true })).toBeVisible();
    await expect(page.getByRole('group', { name: permits.input })).toContainText('no longer\\u{200b} needed');
    await expect(page.getByText(permits.waiting(1))).toBeVisible();
    await expect(page.getByRole('button', { name: permits.answers.no })).toBeFocused();
    await page.clock.runFor(950);
    for (const key of ['Enter', 'Space', 'Escape']) await page.keyboard.press(key);
    expect(inputsOf(await calls(), 'permission:answer')).toEqual([]);
    const canAnswer = async () => {
      await page.clock.runFor(1_100);
      await expect(page.getByRole('button', { name: permits.answers.no })).toHaveAttribute('aria-disabled', 'false');
    };
    await canAnswer();
    for (let tab = 0; tab < 3; tab += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(inputsOf(await calls(), 'permission:answer')).toEqual([{ id: 'a-call', answer: 'once' }]);
    await publish({ heldCalls: [aHeldCall({ id: 'second', canLast: false })] });
    await expect(page.getByRole('button', { name: permits.answers.always })).toHaveCount(0);
    await page.keyboard.press('Enter');
    await canAnswer();
    await page.keyboard.press('Escape');
    expect(inputsOf(await calls(), 'permission:answer').slice(1)).toEqual([{ id: 'second', answer: 'no' }]);
  });
});

test.describe('the permissions of a server', () => {
  test('with many tools show those with a rule first, and the others by search', async ({ openWindow }) => {
    const permissions = { rules: [{ tool: 'list_thing_421', rule: 'deny' as const }] };
    const { page } = await openWindow({
      snapshots: { integrations: [anIntegrationView({ permissions })] },
      answers: { ...answers, 'integration:tools': manyTools() },
    });
    await page.getByRole('option', { name: 'Linear' }).first().click();
    await page.getByRole('tab', { name: words.integration.apps }).click();
    const rules = page.locator('.tool-rule');
    await expect(rules).toHaveCount(50);
    await expect(rules.first()).toContainText('list thing 421');
    await expect(page.getByText(words.tools.shownOf(50, 500))).toBeVisible();
    await page.getByLabel(`${words.tools.search}: ${permits.list}`).fill('thing 499');
    await expect(rules).toHaveCount(1);
    await expect(page.getByLabel(permits.ruleOf('update thing 499'))).toBeVisible();
  });

  test('are set to read-only in one click, tool by tool and for one app', async ({ openWindow }) => {
    const { page, publish, calls } = await openWindow({ answers });
    await page.getByRole('option', { name: 'Linear' }).first().click();
    await page.getByRole('tab', { name: words.integration.apps }).click();
    await page.getByRole('radio', { name: permits.preset['read-only'] }).click();
    await page.getByLabel(permits.ruleOf('Create issue')).selectOption('ask');
    await page.getByLabel(permits.forApps, { exact: true }).selectOption('cursor');
    await page.getByLabel(permits.ruleOf('Create issue')).selectOption('deny');
    expect(inputsOf(await calls(), 'permission:set')).toEqual([
      { id: 'linear', preset: 'read-only' },
      { id: 'linear', tool: 'create_issue', rule: 'ask' },
      { id: 'linear', app: 'cursor', tool: 'create_issue', rule: 'deny' },
    ]);
    await publish({ integrations: [anIntegrationView({ permissions: somePermissions })] });
    await expect(page.getByRole('radio', { name: permits.preset['read-only'] })).toBeChecked();
    // A rule for a missing tool can be removed.
    await page.getByLabel(permits.ruleOf('a_tool_of_yesterday')).selectOption('preset');
    expect(inputsOf(await calls(), 'permission:set').at(-1)).toEqual({
      id: 'linear',
      app: 'cursor',
      tool: 'a_tool_of_yesterday',
      rule: null,
    });
  });

  test('show changes of tools and mark as reviewed what was shown', async ({ openWindow }) => {
    const noted = { changed: someChanges, more: 0, gone: someGone };
    const changes = { 'permission:changes': noted, 'permission:accept': null } as const;
    const { page, publish, calls } = await openWindow({ answers: { ...answers, ...changes } });
    const toolReview = { reviewedAt: 1, changedAt: 2 };
    await page.getByRole('option', { name: 'Linear' }).first().click();
    await publish({ integrations: [anIntegrationView({ toolReview })] });
    await page.getByRole('button', { name: permits.review }).click();
    const section = page.getByRole('region', { name: permits.changes });
    await expect(section.locator('ins').first()).toContainText('\\u{200b}');
    await expect(section.locator('del')).toHaveText('true');
    await expect(section.getByRole('heading', { name: 'archive\\u{200b}_issue' })).toBeVisible();
    expect(inputsOf(await calls(), 'permission:changes').at(-1)).toEqual({ id: 'linear', live: true });
    await section.getByRole('button', { name: permits.acceptOf('create_issue') }).focus();
    await page.keyboard.press('Enter');
    await section.getByRole('button', { name: permits.acceptOf('archive\\u{200b}_issue') }).click();
    await section.getByRole('button', { name: permits.acceptAll(3) }).click();
    const [first, second] = someChanges.map(({ form }) => form);
    const gone = someGone[0]?.name;
    expect(inputsOf(await calls(), 'permission:accept')).toEqual([
      { id: 'linear', forms: [first], gone: [] },
      { id: 'linear', forms: [], gone: [gone] },
      { id: 'linear', forms: [first, second], gone: [gone] },
    ]);
    await page.getByRole('radio', { name: permits.changedRule.hold }).click();
    expect(inputsOf(await calls(), 'permission:set').at(-1)).toEqual({ id: 'linear', changedTools: 'hold' });
  });

  test('appear on the page of an app and lead to its rules', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ answers });
    await publish({ integrations: [anIntegrationView({ permissions: somePermissions })] });
    await page.getByRole('button', { name: words.apps.title }).first().click();
    await page
      .getByRole('button', { name: /Cursor/u })
      .first()
      .click();
    const { summary, summaryOf } = permits;
    const said = [summary.preset['read-only'], summary.denied(1)].join(', ');
    await page.getByRole('button', { name: summaryOf('Linear', said) }).press('Enter');
    await expect(page.getByLabel(permits.forApps, { exact: true })).toHaveValue('cursor');
  });
});
