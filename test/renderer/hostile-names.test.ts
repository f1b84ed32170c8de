import { words } from '../../renderer/words.ts';
import { anIntegrationView } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

test.describe('names of a server and its tools', () => {
  for (const name of [
    '<img src=x onerror="document.title = 1"> Notes',
    '<svg onload="document.title = 1"></svg> Notes',
    '[Notes](javascript:alert(1)) **now**',
    '</span><a href="https://evil.example/">Notes</a>',
  ])
    test(`are shown as text everywhere: ${name} (IP-01)`, async ({ openWindow }) => {
      const integrations = [anIntegrationView({ name })];
      const tool = { name: 'notes', title: name, description: name, inputSchema: { type: 'object' } };
      const answers = { 'integration:tools': { tools: [tool] } };
      const { page } = await openWindow({ snapshots: { integrations }, answers });
      const before = await page.title();
      await page.getByRole('option', { name: 'Notes' }).click();
      await expect(page.getByRole('heading', { name, level: 1, exact: true })).toBeVisible();
      await page.getByRole('tab', { name: 'Tools' }).click();
      await page.getByRole('listbox', { name: 'Tools' }).getByRole('option').click();
      await expect.poll(() => page.getByText(name, { exact: true }).count()).toBeGreaterThan(2);
      await expect(page.locator('img, svg[onload], strong, a[href*="evil"], a[href^="javascript"]')).toHaveCount(0);
      expect(await page.title()).toBe(before);
    });
  test('say which list entry is unusable, with its name as text', async ({ openWindow }) => {
    const name = '<img src=x onerror="document.title = 1">';
    const unusable = [{ list: 'tools' as const, index: 1, name, member: 'inputSchema' }];
    const tool = { name: 'notes', inputSchema: { type: 'object' } };
    const answers = { 'integration:tools': { tools: [tool], unusable } };
    const { page } = await openWindow({ snapshots: { integrations: [anIntegrationView({ name: 'Notes' })] }, answers });
    await page.getByRole('option', { name: 'Notes' }).click();
    await page.getByRole('tab', { name: 'Tools' }).click();
    await expect(page.getByText(words.tools.unusable(unusable[0]!))).toBeVisible();
    await expect(page.getByRole('listbox', { name: 'Tools' }).getByRole('option')).toHaveCount(1);
    await expect(page.locator('img[src="x"]')).toHaveCount(0);
  });
  test('say which part of a result is invalid, with its name as text', async ({ openWindow }) => {
    const member = '<img src=x onerror="document.title = 1">';
    const unusable = [{ list: 'content' as const, index: 1, member, isPartlyUsed: true as const }];
    const answers = {
      'integration:tools': { tools: [{ name: 'notes', inputSchema: { type: 'object' } }] },
      'integration:callTool': {
        content: [{ type: 'text' as const, text: 'read', cut: false }],
        isError: false,
        unusable,
      },
    };
    const { page } = await openWindow({ snapshots: { integrations: [anIntegrationView({ name: 'Notes' })] }, answers });
    await page.getByRole('option', { name: 'Notes' }).click();
    await page.getByRole('tab', { name: 'Tools' }).click();
    await page.getByRole('listbox', { name: 'Tools' }).getByRole('option').click();
    await page.getByRole('button', { name: words.tools.run, exact: true }).click();
    await expect(page.getByLabel(words.tools.result).getByText(words.tools.unusable(unusable[0]!))).toBeVisible();
    await expect(page.locator('img[src="x"]')).toHaveCount(0);
  });
  test('say that tools were left out if a server lists too many', async ({ openWindow }) => {
    const tool = { name: 'notes', inputSchema: { type: 'object' } };
    const answers = { 'integration:tools': { tools: [tool], isPartial: true as const } };
    const { page } = await openWindow({ snapshots: { integrations: [anIntegrationView({ name: 'Notes' })] }, answers });
    await page.getByRole('option', { name: 'Notes' }).click();
    await page.getByRole('tab', { name: 'Tools' }).click();
    await expect(page.getByText(words.tools.partial.tools)).toBeVisible();
    await expect(page.getByRole('listbox', { name: 'Tools' }).getByRole('option')).toHaveCount(1);
  });
});

test.describe('the page of a server', () => {
  test('shows the connected server and the sign-in service (IP-22)', async ({ openWindow }) => {
    // A name that claims another service.
    const integrations = [anIntegrationView({ name: 'bank.example' })];
    const { page } = await openWindow({ snapshots: { integrations } });
    await page.getByRole('option', { name: 'bank.example' }).click();
    await page.getByText(words.account.details, { exact: true }).click();
    const fact = (term: string) =>
      page.locator('dt', { hasText: new RegExp(`^${term}$`) }).locator('xpath=following-sibling::dd[1]');
    await expect(fact('Server')).toHaveText('mcp.linear.example');
    await expect(fact('Signed in at')).toHaveText('auth.linear.example');
  });

  test('shows the sign-in service even if no issuer is published', async ({ openWindow }) => {
    const integrations = [anIntegrationView({ name: 'Notes', issuer: undefined })];
    const { page } = await openWindow({ snapshots: { integrations } });
    await page.getByRole('option', { name: 'Notes' }).click();
    await page.getByText(words.account.details, { exact: true }).click();
    await expect(page.locator('dt', { hasText: /^Signed in at$/ }).locator('+ dd')).toHaveText('auth.linear.example');
    await expect(page.locator('dt', { hasText: /^Issuer$/ })).toHaveCount(0);
  });
});
