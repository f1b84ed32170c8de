import { settingsRows } from '../../renderer/settings-rows.ts';
import { words } from '../../renderer/words.ts';
import { tools } from './answer-fixtures.ts';
import { aDesktop, anError, anIntegrationView } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

const integrations = [
  anIntegrationView(),
  anIntegrationView({ id: 'github', name: 'GitHub (work)', url: 'https://api.githubcopilot.example/mcp' }),
];

test('finds servers, pages and actions by a few letters, by keyboard', async ({ openWindow }) => {
  const { page, calls } = await openWindow({ snapshots: { integrations } });
  const input = page.getByRole('dialog').getByRole('combobox');
  const go = async (letters: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await expect(input).toBeFocused();
    await page.keyboard.type(letters);
    await expect(page.getByRole('option', { selected: true }).last()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await go('gthb');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('GitHub (work)');
  await go('activ');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity');
  await go('linear use');
  await expect(page.getByRole('tab', { name: 'AI apps' })).toHaveAttribute('aria-selected', 'true');
  await go('linear rena');
  await expect(page.locator('#server-name')).toBeFocused();
  await go('pause');
  await expect.poll(calls).toContainEqual({ call: 'settings:update', input: { appsPaused: true } });
});

test('opens from the search box and finds listed tools and settings', async ({ openWindow }) => {
  const { page } = await openWindow({ snapshots: { integrations }, answers: { 'integration:tools': tools } });
  const go = async (letters: string): Promise<void> => {
    await page.getByRole('button', { name: words.palette.open }).click();
    await page.keyboard.type(letters);
    await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await page.getByRole('option', { name: 'Linear' }).click();
  await page.getByRole('tab', { name: words.integration.tools }).click();
  await page.getByRole('option', { name: 'whoami' }).waitFor();
  await page.getByRole('button', { name: 'Home', exact: true }).click();
  await go('linear delete_iss');
  await expect(page.getByRole('heading', { name: 'Delete issue' })).toBeVisible();
  await go('settings theme');
  await expect(page.getByLabel(words.settings.theme)).toBeFocused();
});

test('finds every row of the settings and leads to it, also under Advanced', async ({ openWindow }) => {
  const settings = { ...aDesktop().settings, gatewayPort: 47_612 };
  const { page } = await openWindow({
    snapshots: { desktop: aDesktop({ settings, update: { state: 'idle', automatic: true } }) },
  });
  for (const [row, [name]] of Object.entries(settingsRows())) {
    await page.keyboard.press('Control+k');
    await page.keyboard.insertText(words.palette.setting(name));
    await page
      .getByRole('option', { name: words.palette.setting(name), selected: true })
      .last()
      .waitFor();
    await page.keyboard.press('Enter');
    const focused = page.locator(`#setting-${row}`).and(page.locator(':focus-within'));
    await expect(focused, row).toBeInViewport();
    expect(await focused.evaluate((element) => element.contains(document.activeElement)), row).toBe(true);
  }
  expect(await page.locator('.setting').count()).toBe(Object.keys(settingsRows()).length);
});

test('opens Advanced again after the user closed it', async ({ openWindow }) => {
  const { page } = await openWindow();
  for (const before of ['closed at first', 'closed by the user']) {
    await expect(page.getByText(words.settings.callbackHost, { exact: true }), before).toBeHidden();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words.settings.callbackHost);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel(words.settings.callbackHost)).toBeFocused();
    await page.getByText(words.settings.advanced, { exact: true }).click();
  }
});

test('keeps the query after Escape until it was used; typing replaces it', async ({ openWindow }) => {
  const { page } = await openWindow({ snapshots: { integrations } });
  const input = page.getByRole('dialog').getByRole('combobox');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('gthb');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(input).toHaveValue('gthb');
  await page.keyboard.type('activ');
  await expect(input).toHaveValue('activ');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity');
  await page.keyboard.press('Control+k');
  await expect(input).toHaveValue('');
});

test('says why apps could not be paused', async ({ openWindow }) => {
  const error = anError({ message: 'The disk is read-only.' });
  const { page } = await openWindow({ snapshots: { integrations }, answers: { 'settings:update': { error } } });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('pause');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The disk is read-only.')).toBeVisible();
});

test('announces the selection to a screen reader, and Esc restores focus', async ({ openWindow }) => {
  const { page } = await openWindow({ snapshots: { integrations } });
  await page.getByRole('option', { name: 'Linear' }).click();
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Control+k');
  const input = page.getByRole('dialog').getByRole('combobox');
  await expect(input).toHaveAttribute('aria-expanded', 'true');
  const named = async (): Promise<string | null> => {
    const id = await input.getAttribute('aria-activedescendant');
    return await page.locator(`[id="${id}"] .palette-label`).textContent();
  };
  const first = await named();
  await page.keyboard.press('ArrowDown');
  await expect.poll(named).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  await expect.poll(named).toBe(first);
  await page.keyboard.type('no such thing at all');
  await expect(page.getByText(words.palette.nothing)).toBeVisible();
  await expect(input).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeFocused();
});
