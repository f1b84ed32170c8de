import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe finds on a page as it is now: `rule: the element's markup`. Runs in the page itself, which has no frames of
 * others. axe is half a megabyte, so a page is given it once, from the address `script` where one serves it; every rule
 * judges, but only what fails is written down.
 */
export async function axeViolations(page: Page, script?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window)))
    await (script === undefined ? page.evaluate(axe.source) : page.addScriptTag({ url: script }));
  const { violations } = await page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    return await inPage.run(document, { resultTypes: ['violations'] });
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
}
