import { app } from 'electron';

/** Switches by which another program could look into this one, or run its own code in it. */
const switches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'inspect',
  'inspect-brk',
];

/** Whether an installed program was started to be debugged: it does not start then (Electron's security list, fuses). */
export function isStartedForDebugging(): boolean {
  return app.isPackaged && switches.some((name) => app.commandLine.hasSwitch(name));
}
