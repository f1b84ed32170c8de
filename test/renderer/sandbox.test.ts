import { words } from '../../renderer/words.ts';
import { aDesktop } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

const settings = aDesktop().settings;

for (const sandbox of ['off', 'leftOut'] as const) {
  test(`a sandbox that is ${sandbox} is reported until sign-in pages open in the browser`, async ({ openWindow }) => {
    const { page, calls, publish } = await openWindow({ snapshots: { desktop: aDesktop({ sandbox }) } });
    const notice = page.locator('.toast').filter({ hasText: words.sandbox.title });
    await notice.getByRole('button').focus();
    await page.keyboard.press('Enter');
    const change = { call: 'settings:update', input: { signInSurface: 'browser' } };
    await expect.poll(calls).toContainEqual(change);
    await publish({ desktop: aDesktop({ sandbox, settings: { ...settings, signInSurface: 'browser' } }) });
    await expect(notice).toHaveCount(0);
  });
}

test('an active sandbox is not mentioned', async ({ openWindow }) => {
  const { page } = await openWindow({ snapshots: { desktop: aDesktop() } });
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page.getByText(words.sandbox.title)).toHaveCount(0);
});
