import { advise } from '../../shared/error-catalogue/catalogue-entry.ts';
import { english } from '../../shared/words/english.ts';
import { german } from '../../shared/words/german.ts';
import { anApp } from './fixtures.ts';
import {
  changeSeveral,
  madeOf,
  otherPreviewed,
  previewProgram,
  previewed,
  severalMade,
  severalPreviewed,
} from './program-fixtures.ts';
import { expect, test } from './renderer-test.ts';

test.describe('the language', () => {
  test('is the one that main says, from the first page on', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { app: anApp({ language: 'de' }) } });
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await page.keyboard.press('Control+,');
    await expect(page.getByRole('heading', { name: german.settings.title, level: 1 })).toBeVisible();
  });

  test('changes everything that is shown at once, and nothing that was typed is lost', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ at: 'connect' });
    const typed = page.locator('main input:not([type="checkbox"])').first();
    await typed.fill('https://half-typed.exam');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('heading', { name: english.connect.title, level: 1 })).toBeVisible();
    for (const [language, words] of [
      ['de', german],
      ['en', english],
    ] as const) {
      await publish({ app: anApp({ language }) });
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.getByRole('heading', { name: words.connect.title, level: 1 })).toBeVisible();
      await expect(page.getByRole('option', { name: words.status.signInAgain }).first()).toBeVisible();
      await expect(typed).toHaveValue('https://half-typed.exam');
      await expect(typed).toBeFocused();
    }
  });

  test('is also that of a question that was asked before', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ answers: { 'program:preview': previewed() } });
    await previewProgram(page);
    const asked = await page.getByRole('dialog').getByRole('heading').first().textContent();
    await publish({ app: anApp({ language: 'de' }) });
    await expect(page.getByRole('button', { name: german.common.cancel })).toBeVisible();
    await expect(page.getByRole('dialog').getByRole('heading').first()).not.toHaveText(asked ?? '');
  });

  test('is also that of why a program was left alone', async ({ openWindow }) => {
    const answers = { 'program:preview': severalPreviewed(), 'program:change': severalMade() };
    const { page, publish } = await openWindow({ answers });
    await changeSeveral(page);
    const [refused] = severalPreviewed().refused;
    if (!refused) throw new Error('nothing is refused');
    await expect(page.getByText(english.errors.message(refused.error))).toBeVisible();
    await publish({ app: anApp({ language: 'de' }) });
    await expect(page.getByText(german.errors.message(refused.error))).toBeVisible();
  });

  test('is also that of what was said once', async ({ openWindow }) => {
    const lines = otherPreviewed();
    const answers = { 'program:previewOther': lines, 'program:change': madeOf(...lines.previews) };
    const { page, publish } = await openWindow({ answers });
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await page.getByRole('button', { name: 'Another program…' }).click();
    await page.keyboard.type('My agent');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    const name = answers['program:change'].made[0]?.name ?? '';
    await expect(page.getByText(english.programs.other.added(name))).toBeVisible();
    await publish({ app: anApp({ language: 'de' }) });
    await expect(page.getByText(german.programs.other.added(name))).toBeVisible();
  });

  test('is also that of sentences that are looked up by their English', async ({ openWindow }) => {
    const remedy = advise('check-connection', 'checkConnectionTryAgain');
    const notices = [{ id: 'n1', code: 'CFG_READONLY' as const, message: 'It failed.', remedy }];
    const { page } = await openWindow({ at: 'connect', snapshots: { app: anApp({ language: 'de', notices }) } });
    await expect(page.getByText(german.errors.nextStep(remedy))).toBeVisible();
    await page.locator('.service-tile').filter({ hasText: 'Linear' }).first().click();
    await expect(page.getByText(german.catalogue.told('Issues, cycles and projects'))).toBeVisible();
    expect(german.catalogue.told('Issues, cycles and projects')).not.toBe('Issues, cycles and projects');
  });

  test('is chosen in the settings, where each has its own name', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: { app: anApp({ language: 'de' }) } });
    await page.keyboard.press('Control+,');
    await page.getByLabel(german.settings.language).selectOption({ label: 'English' });
    await expect.poll(calls).toContainEqual({ call: 'settings:update', input: { language: 'en' } });
  });
});
