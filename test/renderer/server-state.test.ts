import { anError, anIntegrationView } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

for (const name of ['signIn', 'signInAgain', 'offline', 'needsAccess', 'storageProblem'] as const)
  test(`the state ${name} of a server is not in the words of the button that mends it`, async ({ openWindow }) => {
    const error = name === 'signIn' ? {} : { error: anError() };
    const integrations = [anIntegrationView({ status: { name, ...error } })];
    const { page } = await openWindow({ snapshots: { integrations } });
    const row = page.getByRole('option', { name: 'Linear' });
    await row.click();
    const button = page.locator('.integration-state button:not([aria-haspopup])');
    const words = (await button.textContent()) ?? '';
    expect(words).not.toBe('');
    await expect(page.locator('.integration-state-line')).not.toContainText(words);
    await expect(row).not.toContainText(words);
  });
