import { words } from '../../renderer/words.ts';
import { tools } from './answer-fixtures.ts';
import { aConnection, aDesktop, aVerdict } from './fixtures.ts';
import { manyIntegrations } from './list-fixtures.ts';
import { expect, test } from './renderer-test.ts';
import { windowStates } from './window-states.ts';

test.describe('shortcuts', () => {
  for (const { platform, key } of [
    { platform: 'linux', key: 'Control' },
    { platform: 'darwin', key: 'Meta' },
  ])
    test(`lead everywhere on ${platform}`, async ({ openWindow }) => {
      const { page } = await openWindow({ snapshots: { desktop: aDesktop({ platform }) } });
      await page.keyboard.press(`${key}+,`);
      await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
      await page.keyboard.press(`${key}+n`);
      await expect(page.getByRole('heading', { name: 'Connect a server' })).toBeVisible();
      await expect(page.getByLabel('Server address')).toBeFocused();
      await page.keyboard.press(`${key}+f`);
      await expect(page.locator('#search')).toBeFocused();
    });

  test('of the menu do the same', async ({ openWindow }) => {
    const { page, send } = await openWindow();
    await send({ event: 'command', command: 'integration', integrationId: 'sentry' });
    await expect(page.getByRole('heading', { name: 'Sentry' })).toBeVisible();
    await send({ event: 'command', command: 'about' });
    await expect(page.getByRole('heading', { name: 'About' })).toBeVisible();
  });
});

test('the connect-at-once setting is changed by keyboard', async ({ openWindow }) => {
  const { page, calls } = await openWindow();
  await page.keyboard.press('Control+,');
  await page.getByLabel(words.settings.connectAtOnce).focus();
  await page.keyboard.press('Space');
  const change = { call: 'settings:update', input: { connectAtOnce: true } };
  await expect.poll(async () => (await calls()).at(-1)).toEqual(change);
});

test.describe('the focus', () => {
  test('stays on the page when its element is removed', async ({ openWindow }) => {
    const verdict = aVerdict({ kind: 'needsOAuthApp' });
    const { page, publish } = await openWindow({ snapshots: { connections: [aConnection({ verdict })] } });
    await page.locator('.connection-list button').first().click();
    await page.getByRole('button', { name: words.connect.start.needsOAuthApp() }).focus();
    await publish(windowStates.find(({ name }) => name === 'credentials')?.snapshots ?? {});
    // The button that led here is gone, and the card shows what is next.
    await expect(page.locator('.connect-card')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: words.common.copy, exact: true })).toBeFocused();
  });

  test('stays in a dialog after a click on its text, and Esc restores it', async ({ openWindow }) => {
    const { page } = await openWindow();
    await page.locator('#search').focus();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading').click();
    await expect(dialog).toBeFocused();
    for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key);
      expect(await page.evaluate(() => document.activeElement?.closest('.frame') === null)).toBe(true);
    }
    await dialog.getByRole('combobox').click();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page.locator('#search')).toBeFocused();
  });

  test('returns to the address after a service was opened', async ({ openWindow }) => {
    const { page } = await openWindow({ at: 'connect' });
    await page.getByLabel('Server address').fill('Figma');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: words.catalog.back }).press('Enter');
    await expect(page.getByLabel('Server address')).toBeFocused();
  });
});

test.describe('the list of 1,000 servers', () => {
  test('is one Tab stop; arrows, Home and End move; only visible rows are rendered', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { integrations: manyIntegrations(1_000) } });
    await page.getByRole('listbox').focus();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('heading', { name: 'Server 1', exact: true })).toBeVisible();
    await page.keyboard.press('End');
    await expect(page.getByRole('heading', { name: 'Server 1000' })).toBeVisible();
    await expect(page.locator('.integration-row.selected')).toBeVisible();
    await expect(page.getByRole('listbox')).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('heading', { name: 'Server 999' })).toBeVisible();
    const active = await page.getByRole('listbox').getAttribute('aria-activedescendant');
    await expect(page.locator(`[id="${active}"]`)).toContainText('Server 999');
    expect(await page.getByRole('option').count()).toBeLessThan(60);
  });

  test('is searched, with the number of matches', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { integrations: manyIntegrations(1_000) } });
    await page.locator('#search').fill('server 77');
    await expect(page.getByText(words.sidebar.found(19, 1_000))).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText(words.sidebar.count(1_000))).toBeVisible();
  });

  test('shows only those that need attention', async ({ openWindow }) => {
    const integrations = manyIntegrations(1_000);
    const needing = integrations.filter(({ status }) => ['signIn', 'signInAgain'].includes(status.name)).length;
    const { page } = await openWindow({ snapshots: { integrations } });
    await page.getByRole('button', { name: words.sidebar.needAttention(needing) }).click();
    await expect(page.getByText(words.sidebar.found(needing, 1_000))).toBeVisible();
  });

  test('opens the first match and continues in the list', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { integrations: manyIntegrations(1_000) } });
    await page.locator('#search').fill('server 77');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Server 77', exact: true })).toBeVisible();
    await page.locator('#search').press('ArrowDown');
    await expect(page.getByRole('listbox')).toBeFocused();
    await page.keyboard.press('End');
    await expect(page.getByRole('heading', { name: 'Server 977', exact: true })).toBeVisible();
    // The current selection stays.
    await page.locator('#search').press('ArrowDown');
    await expect(page.getByRole('listbox')).toBeFocused();
    await expect(page.getByRole('heading', { name: 'Server 977', exact: true })).toBeVisible();
  });

  for (const [platform, leads] of [
    ['darwin', 1],
    ['linux', 0],
  ] as const)
    test(`treats Backspace as Delete only on macOS: ${platform}`, async ({ openWindow }) => {
      const answers = { 'integration:remove': null };
      const { page, calls } = await openWindow({ answers, snapshots: { desktop: aDesktop({ platform }) } });
      await page.getByRole('option', { name: 'Linear' }).click();
      await page.getByRole('listbox', { name: 'Connected servers' }).focus();
      await page.keyboard.press('Backspace');
      await expect
        .poll(async () => (await calls()).filter(({ call }) => call === 'integration:remove').length)
        .toBe(leads);
    });

  test('renames with F2 and removes with Delete, which main confirms', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ answers: { 'integration:remove': null } });
    await page.getByRole('option', { name: 'Linear' }).click();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('F2');
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await page.keyboard.type('Tickets');
    await page.keyboard.press('Enter');
    await expect.poll(calls).toContainEqual({ call: 'integration:update', input: { id: 'linear', name: 'Tickets' } });
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Delete');
    await expect.poll(calls).toContainEqual({ call: 'integration:remove', input: { ids: ['linear'], entries: [] } });
    // The user declined.
    await expect(page.getByRole('listbox')).toBeFocused();
    await expect(page.getByRole('heading', { name: 'Linear', level: 1 })).toBeVisible();
  });
});

test.describe('the keyboard alone', () => {
  test('tries a tool', async ({ openWindow }) => {
    const answers = {
      'integration:tools': tools,
      'integration:callTool': { isError: false, content: [{ type: 'text' as const, text: 'It is you.', cut: false }] },
    };
    const { page, calls } = await openWindow({ answers });
    await page.getByRole('listbox').focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('heading', { name: 'Linear' })).toBeVisible();
    // Apps, Activity, Settings and the header are in between.
    for (let step = 0; step < 7; step += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'AI apps', selected: true })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Tools', selected: true })).toBeVisible();
    await page.getByRole('listbox', { name: 'Tools' }).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('heading', { name: 'whoami' })).toBeVisible();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('It is you.')).toBeVisible();
    await expect.poll(calls).toContainEqual({
      call: 'integration:callTool',
      input: { id: 'linear', call: expect.any(String), name: 'whoami', arguments: {} },
    });
  });
});

test.describe('the theme', () => {
  test('follows the user’s choice over the system', async ({ openWindow }) => {
    const desktop = aDesktop({ theme: 'dark' });
    const { page, publish } = await openWindow({ snapshots: { desktop }, colorScheme: 'light' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await publish({ desktop: aDesktop({ theme: 'system' }) });
    await expect.poll(ground).not.toBe(dark);
  });
});
