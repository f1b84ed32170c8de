import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './kit/window-test.ts';

test('a list that cannot be read, and one that belongs elsewhere, is nobody else’s fault', async ({ openProgram }) => {
  const program = await openProgram();
  const { page } = program;
  await page.getByLabel('Server address').focus();
  await program.window.evaluate(({ clipboard }) => clipboard.writeText('{"mcpServers": {"notes": '));
  await page.keyboard.press('ControlOrMeta+V');
  const notice = page.getByRole('alert');
  await expect(notice.getByText('not a list of servers that Postern can read')).toBeVisible();

  const file = path.join(program.profile, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { notes: { url: 'https://notes.example/mcp' } } }));
  await program.window.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, file);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(notice.getByText('a list of servers for AI programs')).toBeVisible();
  await expect(notice.getByText('paste it where you connect a server')).toBeVisible();
});
