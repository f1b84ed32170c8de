import type { RunningWindow } from '../../support/launch-window.ts';

/** Whether the main window shows our page. Asked of the program: Playwright waits for a navigation that was refused. */
export async function frameIsShown(window: RunningWindow): Promise<boolean> {
  return await window
    .evaluate(async ({ BrowserWindow }) => {
      const [contents] = BrowserWindow.getAllWindows().map(({ webContents }) => webContents);
      if (!contents || contents.isCrashed()) return false;
      return Boolean(await contents.executeJavaScript("document.querySelector('.frame')?.checkVisibility() === true"));
    })
    // While it is shown again.
    .catch(() => false);
}
