import path from 'node:path';
import { app } from 'electron';
import { startSwitches } from '../start-switches.ts';
import { removeIgnoredVariables } from '../user-agent/http/ignored-variables.ts';
import { registerAppScheme } from '../windows/app-protocol.ts';
import { appUserModelId } from './system/app-user-model-id.ts';
import { findPosternLink, isBackgroundLink } from '../address/postern-link.ts';
import { asksForBackground } from './system/background-start.ts';
import { LaterStarts } from './system/later-starts.ts';
import { openProfileFolder } from './open-profile-folder.ts';
import { startProgram } from './start-program.ts';
import { thisInstallation } from './system/this-installation.ts';

/** The program in its window. To be awaited before `ready`, for which it does not wait. */
export async function startWindow(): Promise<void> {
  app.setAppUserModelId(appUserModelId);
  registerAppScheme();
  const starts = new LaterStarts(process.argv);
  const installation = thisInstallation();
  // Chromium and Node would both heed them.
  removeIgnoredVariables(process.env);
  const profile = await openProfileFolder(installation);
  app.setPath('userData', profile.folder);
  // What Chromium keeps for itself stays out of the way of what a person keeps.
  app.setPath('sessionData', path.join(profile.folder, 'browser'));

  // A second start brings the first window to the front.
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }
  const link = findPosternLink(process.argv);
  const switches = startSwitches(process.argv);
  const options = {
    profile,
    installation,
    starts,
    smoke: switches.includes('--smoke'),
    describe: switches.includes('--describe-guards'),
    background: asksForBackground(process.argv) || (link !== undefined && isBackgroundLink(link)),
    demoUrl: app.isPackaged ? undefined : process.env['POSTERN_DEMO_URL'],
  };
  app.whenReady().then(
    () => startProgram(options),
    () => app.exit(1),
  );
}
