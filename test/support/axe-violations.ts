import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The violations that axe finds on the current page, as `rule: the element's markup`. Runs in the page itself, which
 * has no foreign frames. axe is half a megabyte, so it is loaded once per page, from `script` if that URL serves it.
 * All rules run, but only failures are reported. No rule needs what axe would fetch in advance: experimental ones are
 * off, and nothing plays.
 */
export async function axeViolations(page: Page, script?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window)))
    await (script === undefined ? page.evaluate(axe.source) : page.addScriptTag({ url: script }));
  const { violations } = await page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    return await inPage.run(document, { resultTypes: ['violations'], preload: false });
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
}
