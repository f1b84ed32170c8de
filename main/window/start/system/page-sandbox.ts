import type { AppView } from '../../../../shared/app-view.ts';

/**
 * Whether pages run in Chromium's sandbox: they do, or the program does not start, unless this switch says otherwise.
 * The starter of an AppImage adds it where `unshare -Ur true` fails; Electron, where ELECTRON_DISABLE_SANDBOX is set.
 */
export function pageSandbox(
  isSwitchedOff: boolean,
  env: Readonly<Record<string, string | undefined>>,
): AppView['sandbox'] {
  if (!isSwitchedOff) return 'on';
  return env['APPIMAGE'] ? 'leftOut' : 'off';
}
