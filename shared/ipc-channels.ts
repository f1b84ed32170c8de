/** The only channel from main to the window (`ipc-event.ts`). */
export const ipcEventChannel = 'event';

/** The URL fragment of the small window that asks about tool calls. */
export const askingPage = '#asking';
