import { words } from '../../renderer/words.ts';
import { knownServers } from '../../shared/known-servers.ts';
import { startPair, startResource } from '../support/demo-pair.ts';
import type { RunningWindow } from '../support/launch-window.ts';
import { connected, runTool, signIn, start } from './kit/person.ts';
import { programWithServiceAt } from './kit/program-with-service.ts';
import { expect, test } from './kit/window-test.ts';

/** What the program hands to the person's browser from now on. */
async function recordOpened(window: RunningWindow): Promise<() => Promise<string[]>> {
  await window.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (address: string) => Promise.resolve(void opened.push(address));
  });
  return () => window.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
}

test('the services that are known are there at the first start, and their pages open in the browser', async ({
  openProgram,
}) => {
  const { page, window } = await openProgram();
  const opened = await recordOpened(window);
  await page.getByLabel('Server address').fill('GitHub');
  await page.locator('.service-tile').first().click();
  await page.getByRole('button', { name: words.catalogue.openHome('GitHub') }).click();
  await expect.poll(opened).toEqual([knownServers.find(({ name }) => name === 'GitHub')?.home]);
});

test('whoever installed it and has no server at hand gets an answer from one that asks nobody to sign in', async ({
  openProgram,
}) => {
  const service = knownServers.find(({ forPractice }) => forPractice);
  if (!service) throw new Error('a service for practice is needed');
  const mcp = await startResource(undefined);
  const { page } = await openProgram({ program: programWithServiceAt(service, mcp.url) });
  await page.setViewportSize({ width: 1_100, height: 720 });
  await page.getByRole('button', { name: words.connect.here.tryDemo }).click();
  // As it is on the internet, it needs no such yes.
  await page.getByRole('button', { name: 'It runs on my computer or internal network' }).click();
  await page.getByRole('button', { name: words.connect.start.noSignIn, exact: true }).click();
  await connected(page, service.name);
  await page.getByRole('button', { name: words.tools.run, exact: true }).click();
  await expect(page.locator('.result')).toContainText('a guest');
});

test('a service that wants an app is done from its recipe: nothing is looked up anywhere else', async ({
  openProgram,
}) => {
  const service = knownServers.find(({ name }) => name === 'Zoom');
  if (!service?.app?.scopes) throw new Error('a service with an app and permissions is needed');
  const { name, app } = service;
  const { as, mcp } = await startPair({ metadata: (document) => ({ ...document, registration_endpoint: undefined }) });
  const { page, window, popup } = await openProgram({ program: programWithServiceAt(service, mcp.url) });
  const opened = await recordOpened(window);
  const copied = () => window.evaluate(({ clipboard }) => clipboard.readText());

  await page.getByLabel('Server address').fill(name.toLowerCase());
  await page.getByLabel('Server address').press('Enter');
  const recipe = page.getByRole('region', { name: words.catalogue.recipe(name) });
  await expect(recipe.getByRole('listitem')).toHaveText(app.steps);
  await page.getByRole('button', { name: words.catalogue.check, exact: true }).click();
  await page.getByRole('button', { name: 'It runs on my computer or internal network' }).click();
  await expect(page.getByText(words.connect.verdict.needsApp)).toBeVisible();
  await start(page, 'Enter app credentials');

  // What the service's page wants is all in the dialog, which stays while the person works there.
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('region', { name: words.catalogue.recipe(name) }).getByRole('listitem')).toHaveText(
    app.steps,
  );
  await dialog.getByRole('button', { name: words.catalogue.openApp(name) }).click();
  await expect.poll(opened).toEqual([new URL(app.page).href]);
  const copy = async (label: string): Promise<string> => {
    await dialog.getByRole('group', { name: label }).getByRole('button', { name: 'Copy' }).click();
    return await copied();
  };
  await expect.poll(() => copy(words.catalogue.scopes)).toBe(app.scopes?.join(' '));
  await expect.poll(() => copy(words.credentials.callbackLabel)).toMatch(/^http:.*\/callback$/u);
  const answer = await fetch(`${as.origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ application_type: 'native', redirect_uris: [await copied()] }),
  });
  const created = (await answer.json()) as { client_id: string; client_secret: string };

  await dialog.getByLabel('Client ID').fill(created.client_id);
  await dialog.getByLabel('Client secret').fill(created.client_secret);
  await dialog.getByRole('button', { name: 'Save and sign in' }).click();
  await signIn(await popup(as.origin));
  await connected(page, name);
  expect(await runTool(page, 'Who am I?')).toContain('Demo User');
});
