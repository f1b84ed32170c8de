import { words } from '../../renderer/words.ts';
import { aCallView } from './activity-fixtures.ts';
import { signIns, tools } from './answer-fixtures.ts';
import { anError, anIntegrationView } from './fixtures.ts';
import { aFailingServer } from './list-fixtures.ts';
import { aLocalServer } from './local-fixtures.ts';
import { someApps } from './app-fixtures.ts';
import { expect, test } from './renderer-test.ts';

test.describe('the page of a server', () => {
  test('opens on the last used tab', async ({ openWindow }) => {
    const { page } = await openWindow();
    const servers = page.getByRole('listbox', { name: 'Connected servers' });
    const selected = (name: string) => page.getByRole('tab', { name, selected: true });
    await servers.getByRole('option', { name: 'Linear' }).click();
    await expect(selected('Overview')).toBeVisible();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await servers.getByRole('option', { name: 'Atlassian' }).click();
    await expect(selected('Overview')).toBeVisible();
    await servers.getByRole('option', { name: 'Linear' }).click();
    await expect(selected('Settings')).toBeVisible();
  });

  test('shows which apps use it, with today’s calls, and leads to the choice of apps', async ({ openWindow }) => {
    const at = (day: number, number: number) =>
      aCallView({ at: Date.now() + day * 86_400_000 + number, app: 'cursor' });
    const calls = [at(-2, 0), at(0, -2), at(0, -1)].map((call) => ({ ...call, integration: 'linear' }));
    const apps = someApps().map((each) => ({ ...each, uses: each.id === 'cursor' ? ['linear'] : [] }));
    const { page, publish } = await openWindow({
      snapshots: { integrations: [anIntegrationView()], apps: [] },
      answers: { 'activity:read': { first: 1, last: calls.length, calls } },
    });
    await page.getByRole('option', { name: 'Linear' }).click();
    const usedBy = page.getByRole('region', { name: words.account.usedBy });
    await expect(usedBy).toHaveText(words.account.usedByNone);
    await publish({ apps });
    await expect(usedBy).toContainText(words.account.userCalls('Cursor', 2));
    await page.getByRole('button', { name: words.integration.menu.use }).click();
    await expect(page.getByRole('tab', { name: words.integration.apps })).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('button', { name: words.integration.menu.use })).toHaveCount(0);
  });

  test('has a header of one line', async ({ openWindow }) => {
    const { page } = await openWindow({ width: 640 });
    await page.getByRole('option', { name: 'Warehouse' }).click();
    const box = await page.locator('.page-head').boundingBox();
    expect(box?.height).toBeLessThanOrEqual(72);
  });

  for (const [where, width] of [
    ['a window of 640', 640],
    ['one of 1100 at 200 %', 550],
  ] as const)
    test(`shows every tab whole and on one line in ${where}`, async ({ openWindow }) => {
      const answers = { 'integration:tools': tools, 'integration:signIns': { signIns: [] } };
      const { page } = await openWindow({ width, height: 480, answers });
      await page.getByRole('option', { name: 'Linear' }).click();
      const tabs = page.getByRole('tablist').getByRole('tab');
      await expect(tabs).toHaveCount(4);
      for (const tab of await tabs.all()) {
        await expect(tab).toBeInViewport({ ratio: 1 });
        const isWhole = await tab.evaluate((each) => {
          const text = document.createRange();
          text.selectNodeContents(each);
          const lines = [...text.getClientRects()].filter((line) => line.width > 0);
          const lowestTop = Math.max(...lines.map(({ top }) => top));
          const highestBottom = Math.min(...lines.map(({ bottom }) => bottom));
          return each.scrollWidth <= each.clientWidth && lowestTop < highestBottom;
        });
        expect(isWhole, (await tab.textContent()) ?? '').toBe(true);
        // Visible elements are clickable: nothing covers them.
        await tab.click();
        await expect(tab).toHaveAttribute('aria-selected', 'true');
      }
    });

  test('asks the service who is signed in only on request', async ({ openWindow }) => {
    const answers = { 'integration:identifyAccount': { isKnown: false } };
    const { page, calls } = await openWindow({ snapshots: { integrations: [anIntegrationView()] }, answers });
    await page.getByRole('option', { name: 'Linear' }).click();
    const who = page.getByRole('region', { name: words.account.who });
    expect((await calls()).map(({ call }) => call)).not.toContain('integration:identifyAccount');
    await who.getByRole('button', { name: words.account.askService }).click();
    await expect(who.getByText(words.account.accountUnknown)).toBeVisible();
    await expect(who.getByRole('button', { name: words.account.askService })).toHaveCount(0);
  });

  test('asks a server with an API key too, and says whose key it is', async ({ openWindow }) => {
    const options = { ...anIntegrationView().options, headerName: 'X-API-Key' };
    const byKey = anIntegrationView({ method: 'NoAuth', options });
    const answers = { 'integration:identifyAccount': { isKnown: true } };
    const { page, calls, publish } = await openWindow({ snapshots: { integrations: [byKey] }, answers });
    await page.getByRole('option', { name: 'Linear' }).click();
    const who = page.getByRole('region', { name: words.account.who });
    await expect(who).toContainText(words.account.apiKey('X-API-Key'));
    await who.getByRole('button', { name: words.account.askService }).click();
    await expect.poll(calls).toContainEqual({ call: 'integration:identifyAccount', input: { id: byKey.id } });
    await publish({ integrations: [{ ...byKey, user: { name: 'Ada', email: 'ada@example.com' } }] });
    await expect(who).toContainText('ada@example.com');
    await expect(page.getByRole('option', { name: 'Linear' })).toContainText('ada@example.com');
  });

  test('distinguishes two accounts of one service, also in the list', async ({ openWindow }) => {
    const integrations = ['ada', 'eve'].map((who) =>
      anIntegrationView({ id: who, name: `Linear ${who}`, user: { name: who, email: `${who}@example.com` } }),
    );
    const { page } = await openWindow({ snapshots: { integrations } });
    for (const who of ['ada', 'eve'])
      await expect(page.getByRole('option', { name: `Linear ${who}` })).toContainText(`${who}@example.com`);
    await page.getByRole('option', { name: 'Linear eve' }).click();
    await expect(page.getByRole('region', { name: words.account.who })).toContainText('eve@example.com');
  });

  test('describes known permissions in words, and unknown ones by name', async ({ openWindow }) => {
    const url = 'https://api.githubcopilot.com/mcp/';
    const { page } = await openWindow({
      snapshots: { integrations: [anIntegrationView({ url, scope: 'repo other' })] },
    });
    await page.getByRole('option', { name: 'Linear' }).click();
    const permissions = page.locator('.permissions');
    await expect(permissions.getByText(words.permissions.services.GitHub.repo, { exact: true })).toBeVisible();
    await expect(permissions.getByText('other', { exact: true })).toBeVisible();
  });

  test('shows whose account it is, as the service reported, and its permissions', async ({ openWindow }) => {
    const integrations = [anIntegrationView({ account: 'ann@acme.example', scope: 'read write' })];
    const { page } = await openWindow({ snapshots: { integrations } });
    await page.getByRole('option', { name: 'Linear' }).click();
    await expect(page.getByRole('region', { name: 'Account' })).toContainText('ann@acme.example');
    await expect(page.locator('.permissions').getByRole('listitem')).toHaveCount(2);
  });

  test('shows recent activity: its sign-in, and calls of apps', async ({ openWindow }) => {
    const hour = 3_600_000;
    const now = Date.now();
    const linear = anIntegrationView({
      createdAt: now - 90 * hour,
      signedInAt: now - 80 * hour,
      refreshedAt: now - hour,
      signInHost: 'auth.linear.example',
    });
    const call = aCallView({ tool: 'mine', integration: 'linear', at: now - 20 * hour, outcome: 'ok' });
    const other = aCallView({ tool: 'other', integration: 'sentry', at: now });
    const answers = { 'activity:read': { first: 1, last: 2, calls: [call, other] } };
    const { page } = await openWindow({ snapshots: { integrations: [linear] }, answers });
    await page.getByRole('option', { name: 'Linear' }).click();
    const rows = page.getByRole('region', { name: words.account.recentActivity }).getByRole('listitem');
    const { happened } = words.account;
    await expect(rows).toContainText([happened.renewed, 'mine', happened.signedIn, happened.added]);
    await expect(rows).toHaveCount(4);
  });

  test('shows an error once at the top, not again in recent activity', async ({ openWindow }) => {
    const at = Date.now() - 60_000;
    const events = [
      { kind: 'problem' as const, at, code: 'MCP_FAILED' as const },
      { kind: 'renewalFailed' as const, at: at - 1, code: 'REFRESH_REVOKED' as const },
      { kind: 'problem' as const, at: at - 2, code: 'MCP_FAILED' as const },
    ];
    const failing = aFailingServer();
    const { page, publish } = await openWindow({
      snapshots: { integrations: [failing] },
      answers: { 'integration:events': { events } },
    });
    await page.getByRole('option', { name: 'Linear' }).click();
    const head = page.locator('.integration-state');
    await expect(head).toContainText(words.errors.message(failing.status.error ?? anError()));
    await expect(head).toContainText(words.integration.mayHaveMoved);
    await expect(head.getByRole('button', { name: words.integration.action.failing })).toBeVisible();
    const rows = page.getByRole('region', { name: words.account.recentActivity }).getByRole('listitem');
    const { problem, renewalFailed } = words.account.happened;
    await expect(rows.filter({ hasText: problem })).toHaveCount(1);
    await expect(rows.filter({ hasText: renewalFailed }).locator('.recent-call-failed')).toHaveCount(1);
    await publish({
      integrations: [{ ...failing, status: { name: 'signInAgain', error: anError({ code: 'REFRESH_REVOKED' }) } }],
    });
    await expect(rows.filter({ hasText: problem })).toHaveCount(2);
    await expect(rows.filter({ hasText: renewalFailed })).toHaveCount(1);
    await expect(rows.filter({ hasText: renewalFailed }).locator('.recent-call-failed')).toHaveCount(0);
  });

  test('offers once to grant missing permissions, next to them', async ({ openWindow }) => {
    const missing = { scope: 'read', scopeRequested: 'read write admin', missingScopes: ['write', 'admin'] };
    const { page, calls } = await openWindow({ snapshots: { integrations: [anIntegrationView(missing)] } });
    await page.getByRole('option', { name: 'Linear' }).click();
    const grant = page.getByRole('button', { name: words.account.grant });
    await expect(grant).toHaveCount(1);
    await page.getByRole('listitem').filter({ hasText: 'write' }).locator(grant).press('Enter');
    await expect.poll(calls).toContainEqual({ call: 'integration:signInAgain', input: { id: 'linear' } });
  });

  test('has its tabs on one line, with the selected one visible', async ({ openWindow }) => {
    const status = { state: 'off' as const, processes: [], output: '', total: 0, isAllowed: true };
    const { page } = await openWindow({
      snapshots: { integrations: [aLocalServer] },
      answers: { 'local:status': status },
      width: 550,
      height: 360,
    });
    await page.keyboard.press('Control+f');
    await page.getByRole('option').first().click();
    const tabs = page.getByRole('tab');
    await expect(tabs).toHaveCount(4);
    const tops = await tabs.evaluateAll((each) => each.map((tab) => tab.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    for (const key of ['End', 'Home']) {
      await page.getByRole('tab', { selected: true }).press(key);
      await expect(tabs.nth(key === 'End' ? 3 : 0)).toBeInViewport({ ratio: 1 });
    }
  });

  test('shows events from before this start, each once, and any of the last sign-ins', async ({ openWindow }) => {
    const at = Date.now() - 3_600_000;
    const events = [
      { kind: 'signInFailed' as const, at: at + 60_000, code: 'TOKEN_SERVER_ERROR' as const },
      { kind: 'signedIn' as const, at },
    ];
    const { refreshedAt: _never, ...linear } = anIntegrationView({ createdAt: at - 60_000, signedInAt: at });
    const { page, calls } = await openWindow({
      snapshots: { integrations: [linear] },
      answers: { 'integration:events': { events }, 'integration:signIns': { signIns } },
    });
    await page.getByRole('option', { name: 'Linear' }).click();
    const rows = page.getByRole('region', { name: words.account.recentActivity }).getByRole('listitem');
    const { happened } = words.account;
    await expect(rows).toContainText([happened.signInFailed, happened.signedIn, happened.added]);
    await expect(rows).toHaveCount(3);
    await page.getByText(words.diagnosis.lastSignIn, { exact: true }).click();
    const requests = page.getByRole('listbox', { name: words.diagnosis.diagram }).getByRole('option');
    await expect(requests).toHaveCount(6);
    await page.getByLabel(words.diagnosis.signIns).selectOption({ index: 1 });
    await expect(requests).toHaveCount(5);
    await page.getByRole('button', { name: words.diagnosis.copyReport }).click();
    const input = { kind: 'report', id: 'linear', signInAt: signIns[1]?.at };
    await expect.poll(calls).toContainEqual({ call: 'desktop:copy', input });
  });

  test('shows every event on request, however many there are', async ({ openWindow }) => {
    const events = Array.from({ length: 50 }, (_, index) => ({ kind: 'renewed' as const, at: Date.now() - index }));
    const linear = anIntegrationView({ refreshedAt: events[0]?.at ?? 0 });
    const { page } = await openWindow({
      snapshots: { integrations: [linear] },
      answers: { 'integration:events': { events } },
    });
    await page.getByRole('option', { name: 'Linear' }).click();
    const rows = page.getByRole('region', { name: words.account.recentActivity }).getByRole('listitem');
    await expect(rows).toHaveCount(8);
    await page
      .locator('summary')
      .filter({ hasText: words.account.earlierEvents(1).split('(')[0] ?? '' })
      .click();
    await expect(rows.filter({ hasText: words.account.happened.renewed })).toHaveCount(50);
  });

  test('shows which apps called it, and leads to these calls, not those of other servers', async ({ openWindow }) => {
    const { page } = await openWindow({
      answers: {
        'activity:read': {
          first: 1,
          last: 2,
          calls: [
            aCallView({ tool: 'mine', integration: 'linear' }),
            aCallView({ tool: 'other', integration: 'sentry' }),
          ],
        },
        'integration:signIns': { signIns: [] },
      },
    });
    await page.getByRole('option', { name: 'Linear' }).click();
    const recent = page.getByRole('region', { name: words.account.recentActivity });
    await expect(recent).toContainText('mine');
    await expect(recent).not.toContainText('other');
    await recent.getByRole('button', { name: words.home.allCalls }).click();
    await expect(page.getByRole('heading', { name: words.activity.title, level: 1 })).toBeVisible();
    const calls = page.getByRole('listbox', { name: words.activity.list }).getByRole('option');
    await expect(calls).toHaveCount(1);
    await expect(calls).toContainText('mine');
  });
});
