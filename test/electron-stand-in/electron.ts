import { app } from './app.ts';
import { StandInBaseWindow } from './base-window.ts';
import { StandInBrowserWindow } from './browser-window.ts';
import { clipboard } from './clipboard.ts';
import { dialog } from './dialog.ts';
import type { ElectronName } from './electron-names.ts';
import { ipcMain } from './ipc-main.ts';
import { Menu, MenuItem } from './menu.ts';
import { nativeImage } from './native-image.ts';
import { nativeTheme } from './native-theme.ts';
import { net } from './net.ts';
import { missingModule, strictObject } from './not-emulated.ts';
import { StandInNotification } from './notification.ts';
import { powerMonitor } from './power-monitor.ts';
import { screen } from './screen.ts';
import { StandInSession } from './session.ts';
import { shell } from './shell.ts';
import { StandInTray } from './tray.ts';
import { utilityProcess } from './utility-process.ts';
import { StandInView } from './view.ts';
import { StandInWebContentsView } from './web-contents-view.ts';
import { StandInWebContents } from './web-contents.ts';
import { StandInFrame } from './web-frame-main.ts';

/**
 * The `electron` module of a main process. What is not emulated can be imported, but throws when used.
 */
const electron = {
  app,
  autoUpdater: missingModule('autoUpdater'),
  BaseWindow: StandInBaseWindow,
  BrowserView: missingModule('BrowserView'),
  BrowserWindow: StandInBrowserWindow,
  clipboard,
  ClipboardItem: missingModule('ClipboardItem'),
  contentTracing: missingModule('contentTracing'),
  crashReporter: missingModule('crashReporter'),
  desktopCapturer: missingModule('desktopCapturer'),
  dialog,
  globalShortcut: missingModule('globalShortcut'),
  ImageView: missingModule('ImageView'),
  inAppPurchase: missingModule('inAppPurchase'),
  ipcMain,
  IpcMainServiceWorker: missingModule('IpcMainServiceWorker'),
  Menu,
  MenuItem,
  MessageChannelMain: missingModule('MessageChannelMain'),
  nativeImage,
  nativeTheme,
  net,
  netLog: missingModule('netLog'),
  Notification: StandInNotification,
  powerMonitor,
  powerSaveBlocker: missingModule('powerSaveBlocker'),
  get protocol() {
    return StandInSession.defaultSession.protocol;
  },
  pushNotifications: missingModule('pushNotifications'),
  safeStorage: missingModule('safeStorage'),
  screen,
  session: StandInSession,
  ShareMenu: missingModule('ShareMenu'),
  sharedTexture: missingModule('sharedTexture'),
  shell,
  systemPreferences: missingModule('systemPreferences'),
  TouchBar: missingModule('TouchBar'),
  Tray: StandInTray,
  utilityProcess,
  View: StandInView,
  webContents: StandInWebContents,
  WebContentsView: StandInWebContentsView,
  webFrameMain: strictObject('webFrameMain', {
    fromId: (processId: number, routingId: number) => StandInFrame.fromId(processId, routingId),
  }),
  WebSocket: missingModule('WebSocket'),
} satisfies Record<ElectronName, unknown>;

// oxlint-disable-next-line import/no-default-export -- electron has one, and libraries import it
export default electron;

export const {
  autoUpdater,
  BaseWindow,
  BrowserView,
  BrowserWindow,
  ClipboardItem,
  contentTracing,
  crashReporter,
  desktopCapturer,
  globalShortcut,
  ImageView,
  inAppPurchase,
  IpcMainServiceWorker,
  MessageChannelMain,
  netLog,
  Notification,
  powerSaveBlocker,
  protocol,
  pushNotifications,
  safeStorage,
  session,
  ShareMenu,
  sharedTexture,
  systemPreferences,
  TouchBar,
  Tray,
  View,
  webContents,
  WebContentsView,
  webFrameMain,
  WebSocket,
} = electron;
export {
  app,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  MenuItem,
  nativeImage,
  nativeTheme,
  net,
  powerMonitor,
  screen,
  shell,
  utilityProcess,
};
