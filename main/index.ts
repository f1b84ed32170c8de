import { app } from 'electron';
import { openProfileFolder } from './app/open-profile-folder.ts';
import { startProgram } from './app/start-program.ts';
import { registerAppScheme } from './windows/app-protocol.ts';

// Before `ready`: Electron waits for this module, so nothing here may wait for `ready`.
registerAppScheme();
const profile = await openProfileFolder();
app.setPath('userData', profile.folder);

if (app.requestSingleInstanceLock()) {
  const options = {
    profile,
    smoke: process.argv.includes('--smoke'),
    demoUrl: app.isPackaged ? undefined : process.env['POSTERN_DEMO_URL'],
  };
  app.whenReady().then(
    () => startProgram(options),
    () => app.exit(1),
  );
} else {
  // The first window comes to the front.
  app.exit(0);
}
