import type { Locator, Page } from 'playwright-core';
import { words } from '../../../renderer/words.ts';
import type { RunningPostern } from './open-postern.ts';

/** User actions in the windows, by visible text. */

/** Types an address, marks it as local, and waits for the verdict. */
export async function look(page: Page, url: string): Promise<void> {
  if (!(await page.getByLabel('Server address').isVisible()))
    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
  const address = page.getByLabel('Server address');
  await address.fill(url);
  const local = page.getByRole('checkbox', { name: 'my computer or internal network' });
  if (!(await local.isChecked())) await local.click();
  await address.press('Enter');
}

/** The same for a second account of a connected server. */
export async function lookForSecondAccount(page: Page, url: string): Promise<void> {
  await look(page, url);
  await page.getByRole('button', { name: 'Add a second account' }).click();
}

/** The name of a new server is among the details of its card. */
export async function enterName(page: Page, name: string): Promise<void> {
  await openDetails(page);
  await page.getByLabel('Name', { exact: true }).fill(name);
}

export async function openDetails(page: Page): Promise<void> {
  await openOnce(page, words.connect.card.details);
}

/** The alternatives to the card's button. */
export async function openAnotherWay(page: Page): Promise<void> {
  await openOnce(page, words.connect.otherOptions);
}

async function openOnce(page: Page, label: string): Promise<void> {
  const summary = page.locator('.connect-card-more > details > summary').filter({ hasText: label });
  await summary.waitFor();
  if (await summary.evaluate(({ parentElement }) => !parentElement?.hasAttribute('open'))) await summary.click();
}

const startButtons = {
  add: words.connect.start.noSignIn(),
  signIn: new RegExp(`^${words.connect.start.registersItself('')}`, 'u'),
  enterClientId: words.connect.start.needsOAuthApp(),
};

/** Continues from the verdict with its main button. */
export async function start(page: Page, button: keyof typeof startButtons, name?: string): Promise<void> {
  if (name !== undefined) await enterName(page, name);
  await page.getByRole('button', { name: startButtons[button], exact: true }).click();
}

/** In the sign-in window: signs in, and allows or denies. */
export async function signIn(popup: Page, decision: 'Allow' | 'Deny' = 'Allow'): Promise<void> {
  await popup.getByLabel('User name').waitFor();
  await popup.getByRole('button', { name: 'Sign in', exact: true }).click();
  const decide = popup.getByRole('button', { name: decision, exact: true });
  await decide.waitFor();
  // The answer closes the window while the click is still being reported.
  await decide.click({ noWaitAfter: true }).catch((error: unknown) => {
    if (!popup.isClosed()) throw error;
  });
}

/**
 * Closes the sign-in window. Postern destroys its page meanwhile, which Playwright may never notice, so this waits for
 * the main window.
 */
export function closePopup(popup: Page): void {
  popup.close().catch(() => {});
}

/** From an address to an integration, with a popup. */
export async function connect(postern: RunningPostern, as: { readonly origin: string }, url: string, name: string) {
  await look(postern.page, url);
  await start(postern.page, 'signIn', name);
  await signIn(await postern.popup(as.origin));
  await connected(postern.page, name);
}

/** Waits until the current sign-in has become an integration, and opens the server's page if it is new. */
export async function connected(page: Page, name: string): Promise<void> {
  const open = page.getByRole('button', { name: words.apps.connected.open });
  const tools = page.getByRole('tab', { name: 'Tools', selected: true });
  await open.or(tools).first().waitFor();
  if (await open.isVisible()) await open.click();
  await tools.waitFor();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let steps = 0; steps < 60; steps += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the Tab key does not lead there');
}

export async function openTab(page: Page, tab: 'Overview' | 'AI apps' | 'Tools' | 'Settings'): Promise<void> {
  await page.getByRole('tab', { name: tab, exact: true }).click();
}

/** The requests of the last sign-ins, on the overview of the current server. */
export async function openDiagnosis(page: Page): Promise<void> {
  await openTab(page, 'Overview');
  await page.getByText(words.diagnosis.lastSignIn, { exact: true }).click();
}

/** From the menu of the current server. */
export async function chooseAction(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: words.integration.more }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Opens an integration from the list. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('listbox', { name: 'Connected servers' }).getByRole('option', { name }).first().click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Runs a tool without input and returns its text. */
export async function runTool(page: Page, title: string): Promise<string> {
  await openTab(page, 'Tools');
  // In a narrow window the selected tool replaces the list.
  const option = page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: title });
  const chosen = page.getByRole('heading', { name: title });
  await option.or(chosen).first().waitFor();
  if (!(await chosen.isVisible())) await option.click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.locator('.result');
  await result.waitFor();
  return (await result.textContent()) ?? '';
}
