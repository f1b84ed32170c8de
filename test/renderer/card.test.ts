import type { Page } from '@playwright/test';
import { words } from '../../renderer/words.ts';
import type { ConnectionView, PendingView } from '../../shared/connection-view.ts';
import { aConnection, anIntegrationView, aVerdict } from './fixtures.ts';
import { expect, test } from './renderer-test.ts';

const expiresAt = Date.now() + 10 * 60_000;
const pending: PendingView = {
  callbackUrl: 'http://127.0.0.1:49210/integration/oauth/callback',
  surface: 'browser',
  host: 'auth.linear.example',
  opened: true,
};
const waiting = { state: { name: 'authorizationPending', expiresAt }, pending } as const;
const onDevice = {
  state: waiting.state,
  device: { host: 'auth.linear.example', page: 'https://auth.linear.example/go', userCode: 'WDJB-MJHT', hasLink: true },
} as const;
/** In the order of a sign-in. */
const steps: readonly Partial<ConnectionView>[] = [
  { state: { name: 'registering' } },
  waiting,
  onDevice,
  { state: { name: 'exchanging' } },
];
const verdict = aVerdict();
const open = (page: Page) => page.locator('.connection-list button').first().click();
const card = (page: Page) => page.locator('.connect-card');

test.describe('the card of a sign-in', () => {
  test('stays in place from the verdict to the end', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ snapshots: { connections: [aConnection({ verdict })] } });
    await open(page);
    const head = page.locator('.connect-card-head');
    await expect(page.getByRole('button', { name: words.connect.discard })).toBeVisible();
    const place = await head.boundingBox();
    for (const step of steps) {
      await publish({ connections: [aConnection({ verdict, ...step })] });
      await expect(page.getByRole('button', { name: words.connect.discard })).toHaveCount(0);
      expect(await head.boundingBox()).toEqual(place);
    }
  });

  test('hides nothing behind its button that the user should read or agree to first', async ({ openWindow }) => {
    const hosts = { service: 'a.example', page: 'b.example', token: 'a.example', hosts: ['b.example'] };
    for (const unexpected of [{ differentOwner: true }, { hosts }]) {
      const connections = [aConnection({ verdict: aVerdict(unexpected) })];
      const { page } = await openWindow({ snapshots: { connections } });
      await page.setViewportSize({ width: 720, height: 480 });
      await open(page);
      const notice = card(page).locator('.notice.ask');
      await notice.scrollIntoViewIfNeeded();
      const [above, below] = [await notice.boundingBox(), await card(page).locator('.start-row').boundingBox()];
      expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? Infinity));
    }
  });

  test('says where to continue, and takes the focus of the button that led there', async ({ openWindow }) => {
    const { page, publish, calls } = await openWindow({ snapshots: { connections: [aConnection({ verdict })] } });
    await open(page);
    await page.getByRole('button', { name: /^Sign in to / }).press('Enter');
    await expect.poll(calls).toContainEqual(expect.objectContaining({ call: 'connection:start' }));
    await publish({ connections: [aConnection({ verdict, ...waiting })] });
    await expect(card(page)).toBeFocused();
    await expect(card(page).getByRole('status')).toContainText(words.signIn.inBrowser.title);
    await expect(card(page).getByRole('status')).toContainText('auth.linear.example');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: words.signIn.openAgain })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(calls).toContainEqual({ call: 'connection:openAgain', input: { id: 'c1' } });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const copied = { call: 'desktop:copy', input: { kind: 'authorizationLink', id: 'c1' } };
    await expect.poll(calls).toContainEqual(copied);
    await expect(page.getByRole('button', { name: words.signIn.linkCopied })).toBeFocused();
  });

  test('does not take the focus from a field elsewhere', async ({ openWindow }) => {
    const { page, publish } = await openWindow({ snapshots: { connections: [aConnection({ verdict })] } });
    await open(page);
    await page.locator('#search').focus();
    await publish({ connections: [aConnection({ verdict, ...waiting })] });
    await expect(page.getByText(words.signIn.inBrowser.title)).toBeVisible();
    await expect(page.locator('#search')).toBeFocused();
    // Escape belongs to that field.
    await page.keyboard.press('Escape');
    await expect(card(page)).toBeVisible();
  });

  for (const [name, step] of [
    ['the browser', waiting],
    ['a code', onDevice],
  ] as const)
    test(`is ended by Escape while it waits for ${name}, and nothing is discarded`, async ({ openWindow }) => {
      const { page, calls } = await openWindow({ snapshots: { connections: [aConnection({ verdict, ...step })] } });
      await open(page);
      await card(page).getByText('auth.linear.example').first().click();
      await page.keyboard.press('Escape');
      await expect.poll(calls).toContainEqual({ call: 'connection:stop', input: { id: 'c1' } });
      expect((await calls()).map(({ call }) => call)).not.toContain('connection:cancel');
    });

  test('shows the code large, with Copy, and where to type it', async ({ openWindow }) => {
    const { page, calls } = await openWindow({ snapshots: { connections: [aConnection({ verdict, ...onDevice })] } });
    await open(page);
    const code = card(page).getByText('WDJB-MJHT');
    expect(await code.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))).toBe(28);
    await expect(card(page).getByRole('status').first()).toContainText('https://auth.linear.example/go');
    await expect(card(page).getByRole('timer')).toBeVisible();
    await card(page).getByRole('button', { name: words.common.copy, exact: true }).click();
    await expect.poll(calls).toContainEqual({ call: 'desktop:copy', input: { kind: 'deviceCode', id: 'c1' } });
  });

  test('is the same on the page of a server that is signed in again', async ({ openWindow }) => {
    const again = aConnection({ kind: 'signInAgain', integrationId: 'linear', verdict, ...waiting });
    const { page } = await openWindow({
      snapshots: { integrations: [anIntegrationView({ connectionId: 'c1' })], connections: [again] },
    });
    await page.getByRole('option', { name: 'Linear' }).click();
    await expect(card(page).getByRole('heading', { name: words.connect.card.again('Linear') })).toBeVisible();
    await expect(card(page).getByRole('button', { name: words.signIn.openAgain })).toBeVisible();
  });
});
