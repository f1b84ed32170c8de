import { expect, test } from './renderer-test.ts';
import { snapshotsOf, windowStates } from './window-states.ts';

const chosen = [
  ['home', '.sidebar-item[aria-current]'],
  ['tools-rich-result', '.integration-row.selected'],
  ['tools-rich-result', '.capability[aria-selected="true"]'],
  ['palette', '.palette-entry.selected'],
  ['credentials', '.chip.on'],
  ['connect', '.service-filter.on'],
] as const;

test.describe('in high contrast', () => {
  for (const [name, part] of chosen)
    test(`the selection has the selection background: ${part}`, async ({ openWindow }) => {
      const state = windowStates.find((each) => each.name === name);
      if (!state) throw new Error(`there is no state ${name}`);
      const { page } = await openWindow({ snapshots: snapshotsOf(state), answers: state.answers });
      await page.emulateMedia({ forcedColors: 'active' });
      await state.lead?.(page);
      const colorsOf = (element: Element): readonly string[] => {
        const { backgroundColor, color } = getComputedStyle(element);
        return [backgroundColor, color];
      };
      const systemColors = await page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement('p'));
        Object.assign(probe.style, { forcedColorAdjust: 'none', background: 'Highlight', color: 'HighlightText' });
        const { backgroundColor, color } = getComputedStyle(probe);
        probe.remove();
        return [backgroundColor, color];
      });
      await expect.poll(() => page.locator(part).first().evaluate(colorsOf)).toEqual(systemColors);
    });

  test('the main button has a different background from its neighbors', async ({ openWindow }) => {
    const state = windowStates.find(({ name }) => name === 'app-preview');
    if (!state) throw new Error('there is no such state');
    const { page } = await openWindow({ snapshots: snapshotsOf(state), answers: state.answers });
    await page.emulateMedia({ forcedColors: 'active' });
    await state.lead?.(page);
    const grounds = await page
      .locator('.dialog-foot .button')
      .evaluateAll((buttons) => buttons.map((button) => getComputedStyle(button).backgroundColor));
    expect(grounds.length).toBeGreaterThan(1);
    expect(new Set(grounds).size).toBe(grounds.length);
    const main = page.locator('.dialog-foot .button.primary');
    await main.hover();
    await expect(main).toHaveCSS('background-color', grounds.at(-1) ?? '');
  });
});
