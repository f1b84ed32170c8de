import type { Locator, Page } from 'playwright-core';
import { words } from '../../../renderer/words.ts';
import type { Program } from './open-program.ts';

/** What a person does in the windows, by what stands there. */

/** Types an address, says that it is theirs, and waits for the verdict. */
export async function look(page: Page, url: string): Promise<void> {
  if (!(await page.getByLabel('Server address').isVisible()))
    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
  const address = page.getByLabel('Server address');
  await address.fill(url);
  const local = page.getByRole('checkbox', { name: 'my computer or internal network' });
  if (!(await local.isChecked())) await local.click();
  await address.press('Enter');
}

/** The same for a server that is connected already: for a second account there. */
export async function lookForSecondAccount(page: Page, url: string): Promise<void> {
  await look(page, url);
  await page.getByRole('button', { name: 'Add a second account' }).click();
}

/** Goes on from the verdict with the one button that acts. */
export async function start(page: Page, button: 'Add' | 'Add and sign in' | 'Enter app credentials', name?: string) {
  if (name !== undefined) await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** In the sign-in window: signs in as somebody, and decides. */
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
 * Closes the sign-in window. The program ends its page meanwhile, and Playwright may never hear of that: what is waited
 * for is what the main window says.
 */
export function closePopup(popup: Page): void {
  popup.close().catch(() => {});
}

/** From an address to an integration, by a popup. */
export async function connect(program: Program, as: { readonly origin: string }, url: string, name: string) {
  await look(program.page, url);
  await start(program.page, 'Add and sign in', name);
  await signIn(await program.popup(as.origin));
  await connected(program.page, name);
}

/** Waits until the sign-in that is looked at has become an integration. */
export async function connected(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: 'Tools', selected: true }).waitFor();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Goes on with the Tab key until the focus is there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let steps = 0; steps < 60; steps += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the Tab key does not lead there');
}

export async function openTab(
  page: Page,
  tab: 'Overview' | 'Use it' | 'Tools' | 'Permissions' | 'Activity' | 'Settings',
) {
  await page.getByRole('tab', { name: tab, exact: true }).click();
}

/** From the menu of the server that is shown. */
export async function chooseAction(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: words.integration.more }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Opens an integration from the list. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('listbox', { name: 'Connected servers' }).getByRole('option', { name }).first().click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Runs a tool that takes no input, and answers what it says. */
export async function runTool(page: Page, title: string): Promise<string> {
  await openTab(page, 'Tools');
  // In a narrow window the list gives way to what was chosen.
  const option = page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: title });
  const chosen = page.getByRole('heading', { name: title });
  await option.or(chosen).first().waitFor();
  if (!(await chosen.isVisible())) await option.click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.locator('.result');
  await result.waitFor();
  return (await result.textContent()) ?? '';
}
