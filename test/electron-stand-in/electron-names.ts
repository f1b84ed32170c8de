import type * as Electron from 'electron';

type Everything = typeof Electron;

/** All names that a main process can import from `electron`. */
export type ElectronName = Exclude<
  keyof Everything,
  'contextBridge' | 'ipcRenderer' | 'LanguageModelUtility' | 'localAIHandler' | 'parentPort' | 'webFrame' | 'webUtils'
>;
