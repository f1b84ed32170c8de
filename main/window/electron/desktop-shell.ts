import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { app, clipboard, dialog, nativeTheme, Notification } from 'electron';
import type { BrowserWindow, OpenDialogOptions } from 'electron';
import type { WindowCommand } from '../../../shared/ipc-event.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { callConfirmations, fileBytes } from '../../limits.ts';
import { readPlainFile } from '../../plain-file.ts';
import type { DesktopShell, NoticeQuestion } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import { openFolder, openInBrowser } from './guard-contents.ts';
import { manualLinkCommand, linkCommand } from './link-command.ts';
import { openSignInPopup } from './sign-in-popup.ts';

interface DesktopShellOptions {
  readonly mainWindow: () => BrowserWindow | undefined;
  /** Shows the main window, a new one if there is none. */
  readonly focusWindow: () => void;
  /** Shows the small window that asks about tool calls, or the main window if no call waits. */
  readonly showHeldCalls: () => void;
  readonly onCommand: (command: WindowCommand, integrationId?: string) => void;
  readonly startAtLogin: DesktopShell['startAtLogin'];
}

const json = { name: 'JSON', extensions: ['json'] };

async function askForFile(
  parent: BrowserWindow | undefined,
  dialogOptions: OpenDialogOptions,
): Promise<string | undefined> {
  const options = { properties: ['openFile' as const], ...dialogOptions };
  const { filePaths } = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options));
  return filePaths[0];
}

/** `DesktopShell` on Electron. */
export function createDesktopShell({
  mainWindow,
  focusWindow,
  showHeldCalls,
  onCommand,
  startAtLogin,
}: DesktopShellOptions): DesktopShell {
  /** Referenced here, because a garbage-collected notification loses its click handler. */
  const notices = new Set<Notification>();

  /** It is still of use after `close`: on Windows that also means that it moved to the notification center. */
  function askInNotice(notice: Notification, { buttons, ended }: NoticeQuestion): void {
    const shownAt = performance.now();
    notice.on('click', showHeldCalls);
    notice.on('action', ({ actionIndex }) => {
      const press = buttons[actionIndex]?.press;
      // A click just when it appeared was meant for something else.
      if (ended.aborted || !press || performance.now() - shownAt < callConfirmations.noticePause) showHeldCalls();
      else press();
    });
    const withdraw = (): void => {
      notices.delete(notice);
      notice.close();
    };
    ended.addEventListener('abort', withdraw, { once: true });
  }

  return {
    openPopup: (options) => openSignInPopup(options, mainWindow()),
    openBrowser: openInBrowser,
    openFolder,
    async iconOfProgram(file) {
      const stats = await stat(file).catch(() => undefined);
      if (stats?.isFile() !== true) return undefined;
      const icon = await app.getFileIcon(file, { size: 'large' });
      return icon.isEmpty() ? undefined : icon.toPNG();
    },
    copyText: (text) => void clipboard.writeText(text),
    async saveFile(suggestedName, content) {
      const options = { defaultPath: suggestedName, ...(suggestedName.endsWith('.json') && { filters: [json] }) };
      const parent = mainWindow();
      const { filePath } = await (parent ? dialog.showSaveDialog(parent, options) : dialog.showSaveDialog(options));
      if (!filePath) return false;
      try {
        await writeFile(filePath, content, { mode: 0o600 });
      } catch (cause) {
        throw new PosternError('CFG_READONLY', { stage: 'settings', cause });
      }
      return true;
    },
    // macOS does not show `title`.
    chooseFile: async (title) => await askForFile(mainWindow(), { title, message: title }),
    async readText() {
      const file = await askForFile(mainWindow(), { filters: [json] });
      if (file === undefined) return undefined;
      const bytes = await readPlainFile(file, { limit: fileBytes.settings, follow: true });
      if (!bytes) throw new PosternError('LIST_UNREADABLE', { stage: 'settings' });
      return bytes.toString('utf8');
    },
    async confirm({ message, detail, button }) {
      // Cancel is the default, so that a key pressed too early confirms nothing.
      const buttons = [windowWords.cancel, button];
      const type = 'warning' as const;
      const options = { type, message, detail, buttons, defaultId: 0, cancelId: 0, noLink: true };
      const parent = mainWindow();
      const { response } = await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options));
      return response === 1;
    },
    notify({ title, body, integrationId, question }) {
      if (!Notification.isSupported()) return;
      const actions = question?.buttons.map(({ label }) => ({ type: 'button' as const, text: label })) ?? [];
      const notice = new Notification({ title, body, silent: true, actions });
      notices.add(notice);
      if (question) askInNotice(notice, question);
      else {
        notice.on('click', () => {
          notices.delete(notice);
          focusWindow();
          onCommand('integration', integrationId);
        });
        notice.on('close', () => notices.delete(notice));
      }
      notice.show();
    },
    applyTheme(theme) {
      nativeTheme.themeSource = theme;
    },
    systemLanguages: () => app.getPreferredSystemLanguages(),
    startAtLogin,
  };
}

/** In the PATH of every macOS shell. */
const link = '/usr/local/bin/postern';

/** Makes `postern` available in every terminal; if that needs an administrator, shows the command line for it. */
export async function installCommand(): Promise<void> {
  const launcher = path.join(process.resourcesPath, 'bin', 'postern');
  const outcome = linkCommand(launcher, link);
  if (outcome === 'linked') {
    await dialog.showMessageBox(windowWords.installed);
    return;
  }
  const { manualInstall } = windowWords;
  const line = manualLinkCommand(launcher, link);
  const { response } = await dialog.showMessageBox({
    message: outcome === 'occupied' ? manualInstall.occupied(link) : manualInstall.notAllowed,
    detail: manualInstall.detail(line),
    buttons: [...manualInstall.buttons],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) void clipboard.writeText(line);
}
