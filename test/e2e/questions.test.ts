import { words } from '../../renderer/words.ts';
import { startElicitationServer } from '../support/elicitation-server.ts';
import { connected, look, openTab, start } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

test('a server that asks while a tool runs gets the user’s input or a decline', async ({ openPostern }) => {
  const { url } = await startElicitationServer();
  const { page } = await openPostern();
  await look(page, url);
  await start(page, 'add', 'Parcels');
  await connected(page, 'Parcels');
  await openTab(page, 'Tools');
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: 'form' }).click();
  const run = page.getByRole('button', { name: 'Run', exact: true });
  const dialog = page.getByRole('dialog', { name: words.questions.during('Parcels', new URL(url).host, 'form') });
  await run.click();
  await dialog.getByLabel('Street').fill('Main Street 1');
  await dialog.getByLabel('size').selectOption('Medium');
  await dialog.getByRole('button', { name: words.questions.send }).click();
  await expect(page.locator('.result')).toContainText('Main Street 1');
  await expect(dialog).toHaveCount(0);
  await run.click();
  await dialog.getByRole('button', { name: words.questions.decline }).click();
  await expect(page.locator('.result')).toContainText('decline');
});
