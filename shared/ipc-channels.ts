/** Main speaks to the window on this channel alone (`ipc-event.ts`). */
export const ipcEventChannel = 'event';

/** What stands behind the address of our page in the small window that asks about calls of tools. */
export const askingPage = '#asking';
