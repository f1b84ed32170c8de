import { words } from '../../renderer/words.ts';
import { integrationStatuses } from '../../shared/integration-view.ts';
import { needsUser } from '../../shared/status-words.ts';
import { anError, anIntegrationView } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

for (const name of [
  'signIn',
  'signInAgain',
  'offline',
  'failing',
  'needsAccess',
  'storageProblem',
  'notAllowed',
  'stopped',
] as const)
  test(`the status ${name} does not repeat the label of its button`, async ({ openWindow }) => {
    const error = name === 'signIn' ? {} : { error: anError() };
    const integrations = [anIntegrationView({ status: { name, ...error } })];
    const { page } = await openWindow({ snapshots: { integrations } });
    const row = page.getByRole('option', { name: 'Linear' });
    await row.click();
    const button = page.locator('.integration-state button:not([aria-haspopup])');
    const text = (await button.textContent()) ?? '';
    expect(text).not.toBe('');
    await expect(page.locator('.integration-state-line')).not.toContainText(text);
    await expect(row).not.toContainText(text);
  });

test('a server that waits to retry a refresh still offers a sign-in', async ({ openWindow }) => {
  const error = anError({ code: 'REFRESH_TRANSIENT', remedy: { kind: 'await-renewal', mayLast: false } });
  const integrations = [anIntegrationView({ status: { name: 'offline', error } })];
  const { page, calls } = await openWindow({ snapshots: { integrations } });
  await page.getByRole('option', { name: 'Linear' }).click();
  const state = page.locator('.integration-state');
  await expect(state.getByRole('button', { name: words.integration.action.offline })).toBeVisible();
  await state.getByRole('button', { name: words.integration.action.signInAgain }).click();
  await expect.poll(calls).toContainEqual({ call: 'integration:signInAgain', input: { id: integrations[0]?.id } });
});

test('the status of a server has the same words in the list, on Home and on its page', async ({ openWindow }) => {
  const integrations = integrationStatuses.map((name, index) =>
    anIntegrationView({ id: `s${index}`, name: `Server ${index}`, status: { name } }),
  );
  const { page } = await openWindow({ snapshots: { integrations } });
  const home = page.locator('.home-server');
  await page.getByRole('button', { name: words.sidebar.showAll }).click();
  await expect(home).toHaveCount(integrations.filter(needsUser).length);
  const atHome = new Map<string, string>();
  for (const integration of integrations.filter(needsUser)) {
    const line = home.filter({ hasText: integration.name }).locator('.integration-line');
    atHome.set(integration.id, (await line.textContent()) ?? '');
  }
  for (const integration of integrations) {
    const row = page.getByRole('option', { name: integration.name });
    await row.click();
    await expect(page.getByRole('heading', { level: 1, name: integration.name })).toBeVisible();
    const text = (await page.locator('.integration-state-line [role="status"]').textContent()) ?? '';
    expect(text).not.toBe('');
    await expect(row).toContainText(text);
    expect(atHome.get(integration.id) ?? text).toBe(text);
  }
});
