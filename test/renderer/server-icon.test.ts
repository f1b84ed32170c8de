import type { Locator, Page } from 'playwright-core';
import { aApp } from './app-fixtures.ts';
import { anError, anIntegrationView } from './fixtures.ts';
import { aServerPicture } from './icon-fixtures.ts';
import { expect, test } from './renderer-test.ts';

const icons = { light: '00000000000000aa', dark: '00000000000000bb' };
const integrations = ['one', 'two'].map((id) => anIntegrationView({ id, name: `Server ${id}`, icons }));

test.describe('the icon of a server', () => {
  test('replaces the letter and is requested once, however often it is shown', async ({ openWindow }) => {
    const answers = { 'integration:icon': { data: aServerPicture } };
    const { page, calls } = await openWindow({ snapshots: { integrations }, answers });
    const row = page.getByRole('option', { name: 'Server one' });
    const drawn = row.locator('.picture-tile canvas');
    await expect(drawn).toBeVisible();
    const painted = () =>
      drawn.evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
        return data.some((value) => value > 0);
      });
    await expect.poll(painted).toBe(true);
    await row.click();
    await expect(page.locator('.integration-head .picture-tile canvas')).toBeVisible();
    const iconCalls = (await calls()).filter(({ call }) => call === 'integration:icon');
    expect(iconCalls.map(({ input }) => (input as { mark: string }).mark)).toEqual([icons.light]);
  });

  test('has a dark variant in a dark window', async ({ openWindow }) => {
    const answers = { 'integration:icon': { data: aServerPicture } };
    const { page, calls } = await openWindow({ snapshots: { integrations }, answers, colorScheme: 'dark' });
    await expect(page.locator('.picture-tile canvas').first()).toBeVisible();
    await expect.poll(calls).toContainEqual({ call: 'integration:icon', input: { id: 'one', mark: icons.dark } });
  });

  for (const [what, data] of [
    ['that cannot be decoded', 'AAAA'],
    ['that is gone', null],
  ] as const)
    test(`leaves the letter in place if it is one ${what}`, async ({ openWindow }) => {
      const { page, calls } = await openWindow({
        snapshots: { integrations },
        answers: { 'integration:icon': { data } },
      });
      await expect.poll(async () => (await calls()).map(({ call }) => call)).toContain('integration:icon');
      const row = page.getByRole('option', { name: 'Server one' });
      await row.click();
      await expect(page.locator('.integration-head .service-icon')).toHaveText('SO');
      await expect(page.locator('.picture-tile')).toHaveCount(0);
    });

  test('leaves room around the letters of a small tile', async ({ openWindow }) => {
    const names = ['GitHub work', 'Notes Offline', 'Warehouse Web', 'Ill'];
    const { page } = await openWindow({
      snapshots: { integrations: names.map((name, index) => anIntegrationView({ id: `n${index}`, name })) },
    });
    const gaps = await page.locator('.integration-row .service-icon.small').evaluateAll((tiles) =>
      tiles.map((tile) => {
        const letters = document.createRange();
        letters.selectNodeContents(tile);
        const [inner, outer] = [letters.getBoundingClientRect(), tile.getBoundingClientRect()];
        return [inner.left - outer.left, outer.right - inner.right];
      }),
    );
    expect(gaps).toHaveLength(names.length);
    for (const [left = 0, right = 0] of gaps) {
      expect(Math.min(left, right)).toBeGreaterThanOrEqual(2);
      expect(Math.abs(left - right)).toBeLessThan(1);
    }
  });
});

test.describe('the icon of an app', () => {
  const apps = [aApp(), aApp({ id: 'vscode', name: 'VS Code' })];
  const toApps = async (page: Page): Promise<void> =>
    await page.getByRole('button', { name: 'AI apps', exact: true }).click();
  const look = async (tile: Locator) =>
    await tile.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y, width, height, radius: getComputedStyle(element).borderRadius };
    });

  test('is the one of the system, in the place and shape of the tile before it', async ({ openWindow }) => {
    const { page } = await openWindow({ snapshots: { apps }, answers: { 'app:icon': { data: null } } });
    await toApps(page);
    const rows = page.locator('.app-row');
    await expect(rows.first().locator('.service-icon svg')).toBeVisible();
    await expect(rows.last().locator('.service-icon')).toHaveText('VC');
    const before = [
      await look(rows.first().locator('.service-icon')),
      await look(rows.last().locator('.service-icon')),
    ];
    const { page: next, calls } = await openWindow({
      snapshots: { apps },
      answers: { 'app:icon': { data: aServerPicture } },
    });
    await toApps(next);
    const tiles = next.locator('.app-row .picture-tile');
    await expect(tiles).toHaveCount(2);
    expect([await look(tiles.first()), await look(tiles.last())]).toEqual(before);
    await next.getByRole('button', { name: 'Cursor' }).click();
    await expect(next.locator('.page-head .picture-tile.large')).toBeVisible();
    const asked = (await calls()).filter(({ call }) => call === 'app:icon').map(({ input }) => input);
    expect(asked).toEqual([{ app: 'cursor' }, { app: 'vscode' }]);
  });

  for (const [what, answer] of [
    ['is none', { data: null }],
    ['cannot be decoded', { data: aServerPicture.slice(0, 60) }],
    ['cannot be read', { error: anError() }],
  ] as const)
    test(`is the drawing or the letters if the one of the system ${what}`, async ({ openWindow }) => {
      const { page, calls, complaints } = await openWindow({ snapshots: { apps }, answers: { 'app:icon': answer } });
      await toApps(page);
      await expect.poll(async () => (await calls()).map(({ call }) => call)).toContain('app:icon');
      await page.getByRole('button', { name: 'Cursor' }).click();
      await expect(page.locator('.page-head .service-icon.brand.large')).toBeVisible();
      await expect(page.locator('.picture-tile')).toHaveCount(0);
      expect(complaints).toEqual([]);
    });
});
