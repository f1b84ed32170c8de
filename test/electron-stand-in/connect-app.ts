import { app } from './app.ts';
import { StandInBrowserWindow } from './browser-window.ts';
import { createEvent } from './electron-event.ts';
import { internalEvents } from './internal-events.ts';

/** Re-emits events from elsewhere on `app`. */
export function connectApp(): void {
  internalEvents.on('allWindowsClosed', () => app.standInAllWindowsClosed());
  internalEvents.on('sessionCreated', (session) => app.emit('session-created', session));
  internalEvents.on('contentsCreated', (contents) => {
    app.emit('web-contents-created', createEvent(), contents);
    contents.on('render-process-gone', (event, details) => app.emit('render-process-gone', event, contents, details));
  });
  internalEvents.on('contentsEvent', (name, event, contents, values) => app.emit(name, event, contents, ...values));
  internalEvents.on('windowCreated', (window) =>
    setImmediate(() => app.emit('browser-window-created', createEvent(), window)),
  );
  internalEvents.on('windowEvent', (name, window) => app.emit(`browser-window-${name}`, createEvent(), window));
  internalEvents.on('menuRole', (act) => {
    if (act === 'quit') return app.quit();
    const window = StandInBrowserWindow.getFocusedWindow() ?? StandInBrowserWindow.getAllWindows()[0];
    if (act === 'close') window?.close();
    else if (act === 'minimize') window?.minimize();
    else if (act === 'reload') window?.reload();
    else window?.setFullScreen(!window.isFullScreen());
  });
}
