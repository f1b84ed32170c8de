import { app, BrowserWindow, protocol } from 'electron';

// A minimal app with one window, to measure the runtime itself.
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);
void app.whenReady().then(() => {
  protocol.handle(
    'app',
    () => new Response('<!doctype html><title>Empty</title>', { headers: { 'content-type': 'text/html' } }),
  );
  const window = new BrowserWindow({ width: 1080, height: 760, webPreferences: { sandbox: true } });
  window.webContents.once('did-finish-load', () => {
    process.stdout.write('interactive\n');
    if (process.argv.includes('--smoke')) app.quit();
  });
  void window.loadURL('app://empty/');
});
app.on('window-all-closed', () => app.quit());
