import { aCallView } from './activity-fixtures.ts';
import { anIntegrationView } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

test.describe('the page of a server', () => {
  test('opens on the tab that was looked at last, and never on the one that removes', async ({ openWindow }) => {
    const { page } = await openWindow();
    const servers = page.getByRole('listbox', { name: 'Connected servers' });
    const selected = (name: string) => page.getByRole('tab', { name, selected: true });
    await servers.getByRole('option', { name: 'Linear' }).click();
    await expect(selected('Overview')).toBeVisible();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await servers.getByRole('option', { name: 'Atlassian' }).click();
    await expect(selected('Overview')).toBeVisible();
    await page.getByRole('tab', { name: 'Remove' }).click();
    await servers.getByRole('option', { name: 'Linear' }).click();
    await expect(selected('Settings')).toBeVisible();
    await servers.getByRole('option', { name: 'Atlassian' }).click();
    await expect(selected('Overview')).toBeVisible();
  });

  test('has a header of one line', async ({ openWindow }) => {
    const { page } = await openWindow({ width: 640 });
    await page.getByRole('option', { name: 'Warehouse' }).click();
    const box = await page.locator('.integration-line-one').boundingBox();
    expect(box?.height).toBeLessThanOrEqual(72);
  });

  test('has all its tabs in sight, each in one line', async ({ openWindow }) => {
    const { page } = await openWindow({ width: 640 });
    await page.getByRole('option', { name: 'Linear' }).click();
    const list = await page.getByRole('tablist').boundingBox();
    const tabs = await page.getByRole('tablist').getByRole('tab').all();
    expect(tabs).toHaveLength(6);
    for (const tab of tabs) {
      const box = await tab.boundingBox();
      expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual((list?.x ?? 0) + (list?.width ?? 0));
      expect(box?.height).toBeLessThan(48);
    }
  });

  test('says whose access it is, as the service said, and what it may do', async ({ openWindow }) => {
    const integrations = [anIntegrationView({ account: 'ann@acme.example', scope: 'read write' })];
    const { page } = await openWindow({ snapshots: { integrations } });
    await page.getByRole('option', { name: 'Linear' }).click();
    await expect(page.getByRole('region', { name: 'Who is signed in' })).toContainText('ann@acme.example');
    await expect(page.locator('.permissions').getByRole('listitem')).toHaveCount(2);
  });

  test('shows which programs called it, and no calls of others', async ({ openWindow }) => {
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
        'integration:trace': { entries: [] },
      },
    });
    await page.getByRole('option', { name: 'Linear' }).click();
    await page.getByRole('tab', { name: 'Activity' }).click();
    const calls = page.getByRole('tabpanel').getByRole('option');
    await expect(calls).toHaveCount(1);
    await expect(calls).toContainText('mine');
  });
});
