import { advise } from '../../shared/error-catalog/catalog-entry.ts';
import { english } from '../../shared/words/english.ts';
import { german } from '../../shared/words/german.ts';
import { aDesktop } from './fixtures.ts';
import {
  changeSeveral,
  madeOf,
  otherPreviewed,
  previewApp,
  previewed,
  severalMade,
  severalPreviewed,
} from './app-fixtures.ts';
import { expect, test } from './renderer-test.ts';

test.describe('the language', () => {
  test('is the one main reports, from the first page on', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { desktop: aDesktop({ language: 'de' }) } });
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await page.keyboard.press('Control+,');
    await expect(page.getByRole('heading', { name: german.settings.title, level: 1 })).toBeVisible();
  });

  for (const [platform, language, key] of [
    ['linux', 'en', 'Ctrl'],
    ['linux', 'de', 'Strg'],
    ['darwin', 'de', '⌘'],
  ] as const)
    test(`names the command key as the keyboard does: ${key} on ${platform} in ${language}`, async ({ openWindow }) => {
      const { page } = await openWindow({ snapshots: { desktop: aDesktop({ platform, language }) } });
      await page.keyboard.press(platform === 'darwin' ? 'Meta+,' : 'Control+,');
      const keys = await page.locator('kbd').allTextContents();
      const others = ['Ctrl', 'Strg', '⌘'].filter((other) => other !== key);
      expect(keys.filter((text) => text.startsWith(key))).toHaveLength(6);
      expect(keys.filter((text) => others.some((other) => text.includes(other)))).toEqual([]);
      const spoken = platform === 'darwin' ? 'Meta' : 'Control';
      for (const button of await page.locator('[aria-keyshortcuts*="+K"], [aria-keyshortcuts*="+B"]').all())
        await expect(button).toHaveAttribute('aria-keyshortcuts', new RegExp(`^${spoken}`, 'u'));
    });

  for (const language of ['en', 'de'] as const)
    test(`cuts no key and no hint of the search at 640 to 1100 px (${language})`, async ({ openWindow }) => {
      const { page } = await openWindow({ width: 640, height: 700, snapshots: { desktop: aDesktop({ language }) } });
      await page.keyboard.press('Control+,');
      for (const width of [640, 720, 800, 900, 1_100]) {
        await page.setViewportSize({ width, height: 700 });
        const search = page.locator('.sidebar #search');
        const cut = await search.evaluate((field) => {
          if (!(field instanceof HTMLInputElement)) return 0;
          const style = getComputedStyle(field);
          const context = document.createElement('canvas').getContext('2d');
          if (!context) throw new Error('no canvas');
          context.font = style.font;
          const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
          return Math.max(0, context.measureText(field.placeholder).width - room);
        });
        expect(cut).toBe(0);
        const cutKeys = await page.locator('kbd').evaluateAll((keys) =>
          keys
            .filter((key) => {
              key.scrollIntoView({ block: 'center', behavior: 'instant' });
              const { left, right, top, bottom } = key.getBoundingClientRect();
              return ![left + 1, right - 1].every((x) =>
                key.contains(document.elementFromPoint(x, (top + bottom) / 2)),
              );
            })
            .map(({ textContent }) => textContent),
        );
        expect(cutKeys).toEqual([]);
      }
    });

  test('changes everything on screen at once and keeps what was typed', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ at: 'connect' });
    const typed = page.locator('main input:not([type="checkbox"])').first();
    await typed.fill('https://half-typed.exam');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('heading', { name: english.connect.title, level: 1 })).toBeVisible();
    for (const [language, words] of [
      ['de', german],
      ['en', english],
    ] as const) {
      await publish({ desktop: aDesktop({ language }) });
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.getByRole('heading', { name: words.connect.title, level: 1 })).toBeVisible();
      await expect(page.getByRole('option', { name: words.status.signInAgain }).first()).toBeVisible();
      await expect(typed).toHaveValue('https://half-typed.exam');
      await expect(typed).toBeFocused();
    }
  });

  test('applies to a question asked before', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ answers: { 'app:preview': previewed() } });
    await previewApp(page);
    const asked = await page.getByRole('dialog').getByRole('heading').first().textContent();
    await publish({ desktop: aDesktop({ language: 'de' }) });
    await expect(page.getByRole('button', { name: german.common.cancel })).toBeVisible();
    await expect(page.getByRole('dialog').getByRole('heading').first()).not.toHaveText(asked ?? '');
  });

  test('applies to why an app was not changed', async ({ openWindow }) => {
    const answers = { 'app:preview': severalPreviewed(), 'app:change': severalMade() };
    const { page, publish } = await openWindow({ answers });
    await changeSeveral(page);
    const [refused] = severalPreviewed().refused;
    if (!refused) throw new Error('nothing is refused');
    await expect(page.getByText(english.errors.message(refused.error))).toBeVisible();
    await publish({ desktop: aDesktop({ language: 'de' }) });
    await expect(page.getByText(german.errors.message(refused.error))).toBeVisible();
  });

  test('applies to earlier messages', async ({ openWindow }) => {
    const lines = otherPreviewed();
    const answers = { 'app:previewOther': lines, 'app:change': madeOf(...lines.previews) };
    const { page, publish } = await openWindow({ answers });
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
    await page.getByRole('button', { name: 'Another app…' }).click();
    await page.keyboard.type('My agent');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    const name = answers['app:change'].made[0]?.name ?? '';
    await expect(page.getByText(english.apps.other.added(name))).toBeVisible();
    await publish({ desktop: aDesktop({ language: 'de' }) });
    await expect(page.getByText(german.apps.other.added(name))).toBeVisible();
  });

  test('applies to sentences looked up by their English text', async ({ openWindow }) => {
    const remedy = advise('check-connection', 'checkConnectionTryAgain');
    const notices = [{ id: 'n1', code: 'CFG_READONLY' as const, message: 'It failed.', remedy }];
    const { page } = await openWindow({ at: 'connect', snapshots: { desktop: aDesktop({ language: 'de', notices }) } });
    await expect(page.getByText(german.errors.nextStep(remedy))).toBeVisible();
    await expect(page.getByText(german.catalog.translate('Issues, cycles and projects'))).toBeVisible();
    expect(german.catalog.translate('Issues, cycles and projects')).not.toBe('Issues, cycles and projects');
  });

  test('is chosen in Settings, each under its own name', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: { desktop: aDesktop({ language: 'de' }) } });
    await page.keyboard.press('Control+,');
    await page.getByLabel(german.settings.language).selectOption({ label: 'English' });
    await expect.poll(calls).toContainEqual({ call: 'settings:update', input: { language: 'en' } });
  });
});
