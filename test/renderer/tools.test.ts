import type { Page } from 'playwright-core';
import { words } from '../../renderer/words.ts';
import { describeError } from '../../shared/error-codes.ts';
import type { ContentView } from '../../shared/mcp-view.ts';
import { answerNow } from './activity-fixtures.ts';
import { lastKnownTools, resources, richResult, tools } from './answer-fixtures.ts';
import { anError } from './fixtures.ts';
import type { OpenedRenderer } from './open-renderer.ts';
import { expect, test } from './renderer-test.ts';

type Json = Extract<ContentView, { type: 'json' }>['json'];

const answers = {
  'integration:tools': tools,
  'integration:callTool': { isError: false, content: [{ type: 'text' as const, text: 'Done.', cut: false }] },
};

async function openTool(page: Page, title: string): Promise<void> {
  await page.getByRole('listbox', { name: 'Connected servers' }).getByRole('option', { name: 'Linear' }).click();
  await page.getByRole('tab', { name: 'Tools' }).click();
  await page.getByRole('option', { name: title }).click();
}

const sent = async (window: OpenedRenderer) =>
  (await window.calls()).filter(({ call }) => call === 'integration:callTool').map(({ input }) => input);

test.describe('a result', () => {
  test('IP-24 is parsed as text and rendered; a link opens only on a click, and nothing is loaded', async ({
    openWindow,
  }) => {
    const window = await openWindow({
      answers: { ...answers, 'integration:callTool': richResult, 'result:save': { saved: true } },
    });
    const { page } = window;
    const requests: string[] = [];
    const { origin } = new URL(page.url());
    page.on('request', (request) => {
      // Postern's own icons may still be loading.
      if (new URL(request.url()).origin !== origin) requests.push(request.url());
    });
    await openTool(page, 'whoami');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.locator('.result');
    await expect(result.getByRole('heading', { name: 'Two issues' })).toBeVisible();
    await expect(result.locator('canvas')).toHaveJSProperty('width', 1);
    const drawn = await result
      .locator('canvas')
      .evaluate((canvas: HTMLCanvasElement) => [...(canvas.getContext('2d')?.getImageData(0, 0, 1, 1).data ?? [])]);
    expect(drawn[3]).toBe(255);
    expect(await result.locator('b, img, a, script, iframe').count()).toBe(0);
    expect(requests).toEqual([]);
    await result.getByRole('button', { name: /the board/u }).click();
    await result.getByRole('button', { name: 'Copy' }).click();
    await result.getByRole('button', { name: 'Save…' }).nth(1).click();
    await expect(result.getByText(words.common.saved)).toBeVisible();
    const [{ call } = { call: '' }] = (await sent(window)) as { call: string }[];
    await expect
      .poll(async () => (await window.calls()).filter((made) => made.call.startsWith('result:')))
      .toEqual([
        { call: 'result:open', input: { call, url: 'https://linear.example/board' } },
        { call: 'result:copy', input: { call } },
        { call: 'result:save', input: { call, piece: 1 } },
      ]);
  });
});

test.describe('data in a result', () => {
  const members = Array.from({ length: 500 }, (_, index) => [`n${index}`, index] as const);
  const show = async (window: OpenedRenderer): Promise<void> => {
    await openTool(window.page, 'whoami');
    await window.page.getByRole('button', { name: 'Run', exact: true }).click();
  };
  const resultWith = (json: Json, cut?: Record<string, number>) => ({
    ...answers,
    'integration:callTool': { isError: false, content: [{ type: 'json' as const, json, ...(cut && { cut }) }] },
  });

  test('is rendered in part, with the total count', async ({ openWindow }) => {
    const rows = members.map(([name, value]) => ({ name, value }));
    const window = await openWindow({
      answers: resultWith({ rows, wide: Object.fromEntries(members) }, { '/rows': 12_345 }),
    });
    await show(window);
    const result = window.page.locator('.result');
    await expect(result.getByText('100 of 12,345 shown')).toBeVisible();
    await expect(result.getByText('100 of 500 shown')).toBeVisible();
    await expect(result.getByRole('row')).toHaveCount(101);
    await expect(result.locator('dt')).toHaveCount(102);
    await expect(result.getByText(words.tools.cut)).toBeVisible();
    await result.getByRole('button', { name: 'Raw' }).click();
    await expect(result.getByText(words.tools.cut)).toBeVisible();
  });

  const issue = (number: number): Json => ({
    id: `PLA-${number}`,
    title: 'Sign-in loops on Safari when the cookie is blocked',
    url: `https://linear.example/acme/issue/PLA-${number}/sign-in-loops-on-safari`,
    labels: ['bug', 'sign-in'],
    assignee: { name: 'Ada Example', ...(number % 2 === 1 && { email: 'ada@acme.example' }) },
    updated: '2026-11-30T10:00:00Z',
    [`estimate${'_in_days'.repeat(number)}`]: 3,
    comments: [{ author: 'Eve Example', body: 'Fixed in the next release' }],
  });

  for (const width of [640, 800, 1_100])
    test(`is legible at ${width} px: whole words, names and values in line, no scroller in the page`, async ({
      openWindow,
    }) => {
      const issues = [issue(1), issue(2)];
      const json = { issues, data: { issues: { nodes: issues, page: { next: null } } } };
      const window = await openWindow({ width, height: 800, answers: resultWith(json) });
      await show(window);
      const result = window.page.locator('.result');
      await expect(result.getByText('Ada Example')).toHaveCount(4);
      const faults = await result.evaluate((element) => {
        const top = (part: Element | null): number => {
          const range = document.createRange();
          const text = document.createTreeWalker(part ?? element, NodeFilter.SHOW_TEXT).nextNode();
          range.selectNodeContents(text ?? element);
          return range.getClientRects()[0]?.top ?? 0;
        };
        const broken = [...element.querySelectorAll('.data-text')]
          .filter((text) => /^(Ada|PLA|bug|sign-in)/u.test(text.textContent) && text.getClientRects().length > 1)
          .map((text) => `broken: ${text.textContent}`);
        const shifted = [...element.querySelectorAll('.data-entry:not(.nested)')]
          .filter((entry) => Math.abs(top(entry.querySelector('dt')) - top(entry.querySelector('dd'))) > 1)
          .map((entry) => `shifted: ${entry.textContent}`);
        const scrolling = [...element.querySelectorAll('*')]
          .filter((part) => /auto|scroll/u.test(getComputedStyle(part).overflow))
          .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1)
          .map((part) => `scrolls: ${part.className}`);
        const lists = [...element.querySelectorAll('.data-list:has(> li > .data)')].map((list) =>
          [...list.querySelectorAll(':scope > li > .data > .data-entry:not(.nested) > dd')].map(
            (value) => value.getBoundingClientRect().left,
          ),
        );
        const uneven = lists.filter((edges) => new Set(edges).size > 1).map((edges) => `columns: ${edges.join(' ')}`);
        return [...broken, ...shifted, ...scrolling, ...uneven];
      });
      expect(faults).toEqual([]);
    });

  test('that is complete mentions no rest', async ({ openWindow }) => {
    const window = await openWindow({ answers: resultWith({ rows: [1, 2, 3] }) });
    await show(window);
    await expect(window.page.locator('.result').getByText('rows')).toBeVisible();
    await expect(window.page.locator('.result').getByText(/shown/u)).toHaveCount(0);
  });
});

test('shows the server’s error text as a quote, next to Postern’s', async ({ openWindow }) => {
  const message = 'Plan limit reached: 5 of 5 calls today';
  const error = anError({
    ...describeError('SERVER_ERROR', { host: 'mcp.linear.example' }),
    code: 'SERVER_ERROR',
    stage: 'connection',
    serverWords: { code: -32_000, message },
  });
  const { page } = await openWindow({ answers: { ...answers, 'integration:callTool': { error } } });
  await openTool(page, 'whoami');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: error.message });
  await expect(notice.locator('q')).toHaveText(message);
  await expect(notice.locator('.notice-title')).not.toContainText(message);
});

test('sends rejected input only if the user insists, and then unchanged', async ({ openWindow }) => {
  const error = anError({
    ...describeError('ARGUMENTS_UNFIT', { members: ['uqery'], meant: 'query' }),
    code: 'ARGUMENTS_UNFIT',
    stage: 'connection',
    blame: 'input',
  });
  const window = await openWindow({ answers: { ...answers, 'integration:callTool': { error } } });
  const { page } = window;
  await openTool(page, 'List issues');
  await page.getByRole('button', { name: 'Show as JSON' }).click();
  await page.getByLabel('Input as JSON').fill('{ "uqery": "mine" }');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Did you mean “query”?' });
  await notice.getByRole('button', { name: 'Send anyway' }).click();
  await expect
    .poll(async () => await sent(window))
    .toMatchObject([{ arguments: { uqery: 'mine' } }, { arguments: { uqery: 'mine' }, anyField: true }]);
  expect((await sent(window))[0]).not.toHaveProperty('anyField');
});

test.describe('a server that cannot be reached', () => {
  test('still shows its last known tools and of when they are, but runs none', async ({ openWindow }) => {
    const window = await openWindow({ answers: lastKnownTools() });
    const { page } = window;
    await openTool(page, 'List issues');
    await expect(page.getByRole('status').filter({ hasText: /^Last known tools, as of \w/u })).toBeVisible();
    await expect(page.getByText('Lists issues, newest first.')).toBeVisible();
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await expect(run).toBeDisabled();
    await expect(run).toHaveAccessibleDescription(words.tools.notNow);
    await page.getByLabel('query').press('Enter');
    expect(await sent(window)).toEqual([]);
  });

  test('can have rules for its last known tools', async ({ openWindow }) => {
    const { page } = await openWindow({ answers: lastKnownTools() });
    await page.getByRole('listbox', { name: 'Connected servers' }).getByRole('option', { name: 'Linear' }).click();
    await page.getByRole('tab', { name: words.integration.apps }).click();
    await expect(page.getByLabel(words.permits.ruleOf('List issues'))).toBeEnabled();
  });

  test('runs tools again once it answers', async ({ openWindow }) => {
    const { page } = await openWindow({ answers: lastKnownTools() });
    await openTool(page, 'List issues');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await expect(run).toBeDisabled();
    await answerNow(page, 'integration:tools', tools);
    await page.getByRole('button', { name: words.tools.refresh }).click();
    await expect(run).toBeEnabled();
    await expect(page.getByText(words.tools.notNow)).toHaveCount(0);
  });
});

test.describe('a slow tool', () => {
  test('shows progress, continues across pages and can be stopped', async ({ openWindow }) => {
    const window = await openWindow({ answers: { ...answers, 'integration:callTool': 'never' } });
    const { page } = window;
    await openTool(page, 'whoami');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const stop = page.getByRole('button', { name: 'Stop' });
    await expect(stop).toBeVisible();
    const [{ call } = { call: '' }] = (await sent(window)) as { call: string }[];
    await page.getByRole('option', { name: 'List issues' }).click();
    await expect(stop).toHaveCount(0);
    await window.send({ event: 'progress', call, progress: 3, total: 4, message: 'Looking' });
    await window.send({ event: 'progress', call: 'another', progress: 1, total: 4, message: 'Not this' });
    await page.getByRole('option', { name: 'whoami' }).click();
    await expect(page.getByText('Looking')).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveJSProperty('value', 3);
    await window.send({ event: 'log', call, level: 'warning', text: 'Two of them are <b>old</b>' });
    await window.send({ event: 'log', call: 'another', level: 'info', text: 'Not this' });
    await expect(page.getByRole('log', { name: words.tools.log })).toHaveText('warning Two of them are <b>old</b>');
    await window.send({ event: 'refused-question', call, why: 'address' });
    await expect(page.getByText(words.questions.refused.address)).toBeVisible();
    // A second Run would run it twice.
    await page.getByRole('button', { name: 'Run', exact: true }).press('Enter');
    await stop.click();
    const calls = await window.calls();
    expect(calls.filter((made) => made.call === 'integration:callTool')).toHaveLength(1);
    expect(calls).toContainEqual({ call: 'integration:stopCall', input: { call } });
  });
});

test.describe('a change that a server reports', () => {
  const followed = async (window: OpenedRenderer) =>
    (await window.calls()).filter(({ call }) => call === 'integration:follow').map(({ input }) => input as Followed);
  interface Followed {
    readonly call: string;
    readonly of: object;
  }

  test('reloads a list quietly', async ({ openWindow }) => {
    const window = await openWindow({ answers: { ...answers, 'integration:prompts': { prompts: [] } } });
    const { page } = window;
    await openTool(page, 'whoami');
    const [first] = await followed(window);
    expect(first?.of).toEqual({ list: 'tools' });
    const changed = { event: 'changed', call: first?.call ?? '' } as const;
    await window.send({ ...changed, occasion: 'first' });
    await window.send({ ...changed, call: 'another', occasion: 'changed' });
    await answerNow(page, 'integration:tools', {
      tools: [...tools.tools.slice(0, 2), { name: 'new', inputSchema: {} }],
    });
    await window.send({ ...changed, occasion: 'changed' });
    await expect(page.getByRole('option', { name: 'new', exact: true })).toBeVisible();
    await expect(page.getByRole('option', { name: 'whoami' })).toHaveCount(0);
    await expect(page.getByText(/^The server changed this list at/u)).toBeVisible();
    const listings = (await window.calls()).filter(({ call }) => call === 'integration:tools');
    expect(listings.map(({ input }) => (input as { quietly: boolean }).quietly)).toEqual([false, true]);
    // Now another list is followed.
    await page.getByRole('radio', { name: 'Prompts' }).click();
    const calls = await window.calls();
    expect(calls).toContainEqual({ call: 'integration:stopCall', input: { call: first?.call } });
    await expect.poll(async () => (await followed(window)).at(-1)?.of).toEqual({ list: 'prompts' });
    await expect(page.getByText(/^The server changed this list at/u)).toHaveCount(0);
  });

  test('reloads an open resource, and keeps the old content if that fails', async ({ openWindow }) => {
    const contents = (text: string) => ({
      uri: 'linear://teams',
      content: [{ type: 'text' as const, text, cut: false }],
    });
    const window = await openWindow({
      answers: { ...answers, 'integration:resources': resources, 'integration:readResource': contents('Before') },
    });
    const { page } = window;
    await openTool(page, 'whoami');
    await page.getByRole('radio', { name: 'Resources' }).click();
    await page.getByRole('option', { name: 'All teams' }).click();
    expect((await followed(window)).map(({ of }) => of)).not.toContainEqual({ resource: 'linear://teams' });
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(page.locator('.result').getByText('Before')).toBeVisible();
    await expect.poll(async () => (await followed(window)).at(-1)?.of).toEqual({ resource: 'linear://teams' });
    const { call } = (await followed(window)).at(-1) ?? { call: '' };
    await window.send({ event: 'changed', call, occasion: 'first' });
    await expect(page.getByText(/^The server updated this at/u)).toHaveCount(0);
    await answerNow(page, 'integration:readResource', contents('After'));
    await window.send({ event: 'changed', call, occasion: 'changed' });
    await expect(page.locator('.result').getByText('After')).toBeVisible();
    await expect(page.getByText(/^The server updated this at/u)).toBeVisible();
    await answerNow(page, 'integration:readResource', { error: anError() });
    await window.send({ event: 'changed', call, occasion: 'changed' });
    await page.getByRole('option', { name: 'One issue' }).click();
    await page.getByRole('option', { name: 'All teams' }).click();
    await expect(page.locator('.result').getByText('After')).toBeVisible();
    await expect.poll(window.calls).toContainEqual({ call: 'integration:stopCall', input: { call } });
  });
});

test.describe('an argument of a prompt or a template', () => {
  test('is suggested by the server, chosen by keyboard and sent with the others', async ({ openWindow }) => {
    const window = await openWindow({
      answers: {
        ...answers,
        'integration:resources': resources,
        'integration:complete': { values: ['Platform', 'Support'] },
        'integration:readResource': { uri: 'linear://issue/Support/7', content: [] },
      },
    });
    const { page } = window;
    const made = async (name: string) =>
      (await window.calls()).filter(({ call }) => call === name).map(({ input }) => input);
    await openTool(page, 'whoami');
    await page.getByRole('radio', { name: 'Resources' }).click();
    await page.getByRole('option', { name: 'One issue' }).click();
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(page.getByText(words.tools.attention(2))).toBeVisible();
    const team = page.getByRole('combobox', { name: 'team' });
    await expect(team).toBeFocused();
    const offered = page.getByRole('listbox', { name: words.tools.suggestions('team') });
    await expect(offered.getByRole('option')).toHaveText(['Platform', 'Support']);
    await page.keyboard.press('ArrowUp');
    await expect(offered.getByRole('option', { name: 'Support' })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(team).toHaveValue('Support');
    await expect(offered).toBeHidden();
    await page.getByRole('combobox', { name: 'id' }).fill('7');
    await expect
      .poll(() => made('integration:complete'))
      .toContainEqual({
        id: 'linear',
        of: { template: 'linear://issue/{team}/{id}{?comments}' },
        argument: { name: 'id', value: '7' },
        given: { team: 'Support' },
      });
    // Escape closes only the suggestions; the input stays.
    await expect(page.getByRole('listbox', { name: words.tools.suggestions('id') })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('listbox', { name: words.tools.suggestions('id') })).toBeHidden();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => made('integration:readResource'))
      .toEqual([
        expect.objectContaining({ uri: 'linear://issue/{team}/{id}{?comments}', values: { team: 'Support', id: '7' } }),
      ]);
    await expect
      .poll(async () => (await made('integration:follow')).at(-1))
      .toMatchObject({
        of: { resource: 'linear://issue/Support/7' },
      });
  });
});

test.describe('the input of a tool', () => {
  test('has fields for nested values, which can be added and removed', async ({ openWindow }) => {
    const window = await openWindow({ answers });
    const { page } = window;
    await openTool(page, 'Create issue');
    await page.getByLabel('team').selectOption('Design');
    await page.getByLabel('title').fill('Slow');
    await page.getByRole('button', { name: 'Add labels' }).click();
    await page.getByLabel('Item 1', { exact: true }).fill('gone');
    await page.getByRole('button', { name: 'Add labels' }).click();
    await page.getByLabel('Item 2', { exact: true }).fill('bug');
    await page.getByRole('button', { name: 'Remove item 1 of labels' }).click();
    await page.getByRole('button', { name: 'Add Assignee' }).click();
    await page.getByLabel('Kind').selectOption('Issue');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    // Fields in groups are invalid too, and the first one gets the focus.
    const name = page.getByRole('group', { name: 'Assignee' }).getByLabel('name');
    await expect(name).toBeFocused();
    expect(await sent(window)).toEqual([]);
    await page.keyboard.type('Ann');
    await page.getByRole('group', { name: 'Issue' }).getByLabel('id').fill('7');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByText('Done.')).toBeVisible();
    await expect
      .poll(async () => await sent(window))
      .toMatchObject([
        {
          arguments: {
            team: 'Design',
            title: 'Slow',
            labels: ['bug'],
            priority: 2,
            assignee: { name: 'Ann', notify: true },
            link: { id: 7 },
          },
        },
      ]);
  });

  test('can be edited as JSON and back without losing anything', async ({ openWindow }) => {
    const window = await openWindow({ answers });
    const { page } = window;
    await openTool(page, 'Create issue');
    await page.getByLabel('title').fill('Slow');
    await page.getByLabel('priority').fill('high');
    const json = page.getByLabel('Input as JSON');
    await page.getByRole('button', { name: 'Show as JSON' }).click();
    expect(JSON.parse(await json.inputValue())).toEqual({ team: 'Platform', title: 'Slow' });
    await page.getByRole('button', { name: 'Show as form' }).click();
    await expect(page.getByLabel('priority')).toHaveValue('high');
    await page.getByRole('button', { name: 'Show as JSON' }).click();
    await json.fill('{ "team": "Design", "title": "Slow", "assignee": "me", "later": [1');
    await page.getByRole('button', { name: 'Show as form' }).click();
    await expect(json).toBeFocused();
    await expect(json).toHaveAttribute('aria-invalid', 'true');
    await page.keyboard.press('End');
    await page.keyboard.type('] }');
    await page.getByRole('button', { name: 'Show as form' }).click();
    await expect(page.getByLabel('team')).toHaveValue('"Design"');
    // Values that fit no field are not lost.
    await expect(page.getByLabel('Assignee')).toHaveValue('"me"');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByText('Done.')).toBeVisible();
    await expect
      .poll(async () => await sent(window))
      .toMatchObject([{ arguments: { team: 'Design', title: 'Slow', assignee: 'me', later: [1] } }]);
  });

  test('survives a visit to another tool, tab or server', async ({ openWindow }) => {
    const { page } = await openWindow({ answers });
    await openTool(page, 'Create issue');
    await page.getByLabel('title').fill('Slow');
    await page.getByRole('option', { name: 'List issues' }).click();
    await page.getByLabel('query').fill('mine');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('listbox', { name: 'Connected servers' }).getByRole('option', { name: 'Atlassian' }).click();
    await openTool(page, 'Create issue');
    await expect(page.getByLabel('title')).toHaveValue('Slow');
    await page.getByRole('option', { name: 'List issues' }).click();
    await expect(page.getByLabel('query')).toHaveValue('mine');
  });

  test('keeps the selected tool and the search after another tab', async ({ openWindow }) => {
    const { page } = await openWindow({ answers });
    await openTool(page, 'Create issue');
    const search = page.getByRole('searchbox', { name: `${words.tools.search}: ${words.tools.kinds.tools}` });
    await search.fill('iss');
    await page.getByRole('option', { name: 'List issues' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Tools', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'List issues' })).toBeVisible();
    await expect(search).toHaveValue('iss');
  });

  test('leads from the always visible button to what is wrong', async ({ openWindow }) => {
    const { page } = await openWindow({ answers, height: 500 });
    await openTool(page, 'Create issue');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await page.getByRole('group', { name: 'Link' }).scrollIntoViewIfNeeded();
    await expect(run).toBeInViewport();
    await run.click();
    await expect(page.getByLabel('team')).toBeFocused();
    await expect(page.getByLabel('team')).toBeInViewport();
    await expect(run).toBeInViewport();
  });
});
