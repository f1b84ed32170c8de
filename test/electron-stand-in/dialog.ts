import type * as Electron from 'electron';
import { askInWindow } from './ask-in-window.ts';
import { strictObject } from './not-emulated.ts';

/** System dialogs as small windows. The parent window is the first argument, or omitted. */
export const dialog = strictObject('dialog', {
  async showMessageBox(...values: unknown[]): Promise<Electron.MessageBoxReturnValue> {
    const options = values.at(-1) as Electron.MessageBoxOptions;
    const { message, detail, title = '', buttons = ['OK'], cancelId = 0, checkboxChecked = false } = options;
    const { button } = await askInWindow({ title, message, buttons, ...(detail === undefined ? {} : { detail }) });
    return { response: button < 0 ? cancelId : button, checkboxChecked };
  },
  async showOpenDialog(...values: unknown[]): Promise<Electron.OpenDialogReturnValue> {
    const { title = 'Open', defaultPath = '', buttonLabel = 'Open' } = values.at(-1) as Electron.OpenDialogOptions;
    const file = await askForPath(title, defaultPath, buttonLabel);
    return { canceled: file === '', filePaths: file === '' ? [] : [file] };
  },
  async showSaveDialog(...values: unknown[]): Promise<Electron.SaveDialogReturnValue> {
    const { title = 'Save', defaultPath = '', buttonLabel = 'Save' } = values.at(-1) as Electron.SaveDialogOptions;
    const filePath = await askForPath(title, defaultPath, buttonLabel);
    return { canceled: filePath === '', filePath };
  },
}) satisfies Pick<Electron.Dialog, 'showMessageBox' | 'showOpenDialog' | 'showSaveDialog'>;

async function askForPath(title: string, value: string, buttonLabel: string): Promise<string> {
  const question = { title, message: title, buttons: [buttonLabel, 'Cancel'], path: { label: 'File', value } };
  const { button, path } = await askInWindow(question);
  return button === 0 ? path : '';
}
