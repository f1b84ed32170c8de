import { describe, expect, it } from 'vitest';
import { anIntegrationView } from './fixtures.ts';
import { useRenderer } from './renderer-test.ts';

const withRenderer = useRenderer();

describe('what a server calls itself and its tools', () => {
  it.each([
    '<img src=x onerror="document.title = 1"> Notes',
    '<svg onload="document.title = 1"></svg> Notes',
    '[Notes](javascript:alert(1)) **now**',
    '</span><a href="https://evil.example/">Notes</a>',
  ])('is text, wherever it stands: %s (IP-01)', async (name) => {
    const integrations = [anIntegrationView({ name })];
    const tool = { name: 'notes', title: name, description: name, inputSchema: { type: 'object' } };
    const answers = { 'integration:tools': { tools: [tool] } };
    await withRenderer({ snapshots: { integrations }, answers }, async ({ page }) => {
      const before = await page.title();
      await page.getByRole('option', { name: 'Notes' }).click();
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Tools' }).click();
      await page.getByRole('listbox', { name: 'Tools' }).getByRole('option').click();
      expect(await page.getByText(name, { exact: true }).count()).toBeGreaterThan(2);
      expect(await page.locator('img, svg[onload], strong, a[href*="evil"], a[href^="javascript"]').count()).toBe(0);
      expect(await page.title()).toBe(before);
    });
  });
  it('says that tools were left out, where a server names more than are taken', async () => {
    const tool = { name: 'notes', inputSchema: { type: 'object' } };
    const answers = { 'integration:tools': { tools: [tool], isPartial: true as const } };
    await withRenderer(
      { snapshots: { integrations: [anIntegrationView({ name: 'Notes' })] }, answers },
      async ({ page }) => {
        await page.getByRole('option', { name: 'Notes' }).click();
        await page.getByRole('tab', { name: 'Tools' }).click();
        await page.getByText('The server names more tools than can be shown').waitFor();
        expect(await page.getByRole('listbox', { name: 'Tools' }).getByRole('option').count()).toBe(1);
      },
    );
  });
});

describe('the page of a server', () => {
  it('says to which server one is connected, and at which service one is signed in (IP-22)', async () => {
    // A name that says something else.
    const integrations = [anIntegrationView({ name: 'bank.example' })];
    await withRenderer({ snapshots: { integrations } }, async ({ page }) => {
      await page.getByRole('option', { name: 'bank.example' }).click();
      const fact = (term: string) =>
        page.locator('dt', { hasText: new RegExp(`^${term}$`) }).locator('xpath=following-sibling::dd[1]');
      expect(await fact('Server').textContent()).toBe('mcp.linear.example');
      expect(await fact('Signed in at').textContent()).toBe('auth.linear.example');
    });
  });
});
