import { words } from '../../renderer/words.ts';
import { knownServers } from '../../shared/known-servers.ts';
import { startPair, startResource } from '../support/demo-pair.ts';
import type { RunningWindow } from '../support/launch-window.ts';
import { connected, runTool, signIn, start } from './kit/user-actions.ts';
import { posternWithServiceAt } from './kit/postern-with-service.ts';
import { expect, test } from './kit/window-test.ts';

/** URLs that Postern opens in the browser from now on. */
async function recordOpened(window: RunningWindow): Promise<() => Promise<string[]>> {
  await window.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (address: string) => Promise.resolve(void opened.push(address));
  });
  return () => window.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
}

test('known services are listed at the first start, and their pages open in the browser', async ({ openPostern }) => {
  const { page, window } = await openPostern();
  const opened = await recordOpened(window);
  await page.getByLabel('Server address').fill('GitHub');
  await page.locator('.service-tile').first().click();
  await page.getByRole('button', { name: words.catalog.openHome('GitHub') }).click();
  await expect.poll(opened).toEqual([knownServers.find(({ name }) => name === 'GitHub')?.homepage]);
});

test('a new user without a server can try one that needs no sign-in', async ({ openPostern }) => {
  const service = knownServers.find(({ forTryingOut }) => forTryingOut);
  if (!service) throw new Error('a service for practice is needed');
  const mcp = await startResource(undefined);
  const { page } = await openPostern({ postern: posternWithServiceAt(service, mcp.url) });
  await page.setViewportSize({ width: 1_100, height: 720 });
  await page.getByRole('button', { name: words.connect.quickStart.tryDemo }).click();
  // The real one is on the internet and needs no permission.
  await page.getByRole('button', { name: 'Allow my computer or internal network' }).click();
  await page.getByRole('button', { name: words.connect.start.noSignIn(), exact: true }).click();
  await connected(page, service.name);
  await page.getByRole('button', { name: words.tools.run, exact: true }).click();
  await expect(page.locator('.result')).toContainText('a guest');
});

test('a service that needs an OAuth app is set up from its steps alone', async ({ openPostern }) => {
  const service = knownServers.find(({ name }) => name === 'Zoom');
  if (!service?.oauthApp?.scopes) throw new Error('a service with an app and permissions is needed');
  const { name, oauthApp } = service;
  const { as, mcp } = await startPair({ metadata: (document) => ({ ...document, registration_endpoint: undefined }) });
  const { page, window, popup } = await openPostern({ postern: posternWithServiceAt(service, mcp.url) });
  const opened = await recordOpened(window);
  const copied = () => window.evaluate(({ clipboard }) => clipboard.readText());

  await page.getByLabel('Server address').fill(name.toLowerCase());
  await page.getByLabel('Server address').press('Enter');
  const recipe = page.getByRole('region', { name: words.catalog.recipe(name) });
  await expect(recipe.getByRole('listitem')).toHaveText(oauthApp.steps);
  await page.getByRole('button', { name: words.catalog.check, exact: true }).click();
  await page.getByRole('button', { name: 'Allow my computer or internal network' }).click();
  await expect(page.getByText(words.connect.verdict.needsOAuthApp)).toBeVisible();
  await start(page, 'enterClientId');

  // The card has everything the service's page asks for, and stays open meanwhile.
  const card = page.locator('.connect-card');
  await expect(card.getByRole('group', { name: words.credentials.stepCreate(name) }).getByRole('listitem')).toHaveText(
    oauthApp.steps,
  );
  await card.getByRole('button', { name: words.catalog.openOAuthApp(name) }).click();
  await expect.poll(opened).toEqual([new URL(oauthApp.page).href]);
  const copy = async (label: string): Promise<string> => {
    const line = card.getByRole('group', { name: label, exact: true });
    await line.getByRole('button', { name: words.common.copy, exact: true }).click();
    await expect(line.getByRole('status')).toHaveText(words.common.copied);
    return await copied();
  };
  expect(await copy(words.catalog.scopes)).toBe(oauthApp.scopes?.join(' '));
  expect(await copy(words.credentials.callbackLabel)).toMatch(/^http:.*\/callback$/u);
  const response = await fetch(`${as.origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ application_type: 'native', redirect_uris: [await copied()] }),
  });
  const created = (await response.json()) as { client_id: string; client_secret: string };

  await card.getByLabel('Client ID').fill(created.client_id);
  await card.getByLabel('Client secret').fill(created.client_secret);
  await card.getByRole('button', { name: /^Sign in to /u }).click();
  await signIn(await popup(as.origin));
  await connected(page, name);
  expect(await runTool(page, 'Who am I?')).toContain('Demo User');
});
