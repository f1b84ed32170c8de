import path from 'node:path';
import { clipboard, dialog } from 'electron';
import { windowWords } from '../../window-words.ts';
import { linkByHand, linkCommand } from './link-command.ts';

/** On the PATH of every shell of macOS. */
const link = '/usr/local/bin/postern';

/** Offers `postern` to every terminal of this Mac; where only an administrator may, tells the line that does it. */
export async function installCommand(): Promise<void> {
  const launcher = path.join(process.resourcesPath, 'bin', 'postern');
  const outcome = linkCommand(launcher, link);
  if (outcome === 'linked') {
    await dialog.showMessageBox(windowWords.installed);
    return;
  }
  const { byHand } = windowWords;
  const line = linkByHand(launcher, link);
  const { response } = await dialog.showMessageBox({
    message: outcome === 'occupied' ? byHand.occupied(link) : byHand.notAllowed,
    detail: byHand.detail(line),
    buttons: [...byHand.buttons],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) void clipboard.writeText(line);
}
