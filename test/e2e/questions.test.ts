import { words } from '../../renderer/words.ts';
import { startAskingServer } from '../support/asking-server.ts';
import { connected, look, openTab, start } from './kit/person.ts';
import { expect, test } from './kit/window-test.ts';

test('a server that asks while a tool runs gets what the person enters, or a no', async ({ openProgram }) => {
  const { url } = await startAskingServer();
  const { page } = await openProgram();
  await look(page, url);
  await start(page, 'Add', 'Parcels');
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
