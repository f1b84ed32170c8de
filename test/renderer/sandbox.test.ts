import { words } from '../../renderer/words.ts';
import { anApp } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

const settings = anApp().settings;

for (const sandbox of ['off', 'leftOut'] as const) {
  test(`a sandbox that is ${sandbox} is told, until sign-in pages open in the browser`, async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ snapshots: { app: anApp({ sandbox }) } });
    const notice = page.locator('.toast').filter({ hasText: words.sandbox.title });
    await notice.getByRole('button').focus();
    await page.keyboard.press('Enter');
    const change = { call: 'settings:update', input: { signInSurface: 'browser' } };
    await expect.poll(calls).toContainEqual(change);
    await publish({ app: anApp({ sandbox, settings: { ...settings, signInSurface: 'browser' } }) });
    await expect(notice).toHaveCount(0);
  });
}

test('nothing is said of a sandbox that is there', async ({ openWindow }) => {
  const { page } = await openWindow({ snapshots: { app: anApp() } });
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page.getByText(words.sandbox.title)).toHaveCount(0);
});
