import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { words } from '../../renderer/words.ts';
import { pasteList } from '../../shared/error-catalog/postern-errors.ts';
import { describeError } from '../../shared/error-codes.ts';
import { expect, test } from './kit/window-test.ts';

test('an unreadable list, or one of another app, is reported as that', async ({ openPostern }) => {
  const postern = await openPostern();
  const { page } = postern;
  await page.getByLabel('Server address').focus();
  await postern.window.evaluate(({ clipboard }) => clipboard.writeText('{"mcpServers": {"notes": '));
  await page.keyboard.press('ControlOrMeta+V');
  const notice = page.getByRole('alert');
  await expect(notice.getByText(describeError('LIST_UNREADABLE', {}).message)).toBeVisible();

  const file = path.join(postern.profile, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { notes: { url: 'https://notes.example/mcp' } } }));
  await postern.window.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, file);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(notice.getByText(describeError('LIST_UNREADABLE', { ofApps: true }).message)).toBeVisible();
  await expect(notice.getByText(words.errors.nextStep(pasteList))).toBeVisible();
});
