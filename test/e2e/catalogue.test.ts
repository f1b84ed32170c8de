import { words } from '../../renderer/words.ts';
import { knownServers } from '../../shared/known-servers.ts';
import { expect, test } from './kit/window-test.ts';

const gitHub = knownServers.find(({ name }) => name === 'GitHub');

test('the services that are known are there at the first start, and their pages open in the browser', async ({
  openProgram,
}) => {
  const { page, window } = await openProgram();
  await window.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (address: string) => Promise.resolve(void opened.push(address));
  });
  await page.getByLabel('Server address').fill('GitHub');
  await page.locator('.service-tile').first().click();
  await page.getByRole('button', { name: words.catalogue.openHome('GitHub') }).click();
  await expect
    .poll(() => window.evaluate(() => (globalThis as unknown as { opened: string[] }).opened))
    .toEqual([gitHub?.home]);
});
