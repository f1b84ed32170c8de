import type * as Electron from 'electron';
import { strictObject } from './not-emulated.ts';

type CommandLine = Pick<
  Electron.CommandLine,
  'appendSwitch' | 'appendArgument' | 'hasSwitch' | 'getSwitchValue' | 'removeSwitch'
>;

/**
 * `app.commandLine`: the switches that the app was started with. Chromium already runs, without the app's additions.
 */
export function readCommandLine(values: readonly string[]): CommandLine {
  const switches = new Map<string, string>();
  for (const value of values) {
    const [, name, text = ''] = /^--([\w-]+)(?:=(.*))?$/s.exec(value) ?? [];
    if (name !== undefined) switches.set(name, text);
  }
  return strictObject('app.commandLine', {
    appendSwitch: (name: string, value = '') => void switches.set(name, value),
    appendArgument: () => {},
    hasSwitch: (name: string) => switches.has(name),
    getSwitchValue: (name: string) => switches.get(name) ?? '',
    removeSwitch: (name: string) => void switches.delete(name),
  });
}
