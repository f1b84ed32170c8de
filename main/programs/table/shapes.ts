import type { Program, Shape, System } from './program.ts';

/** What most programs take. */
export const commandAndArgs: Shape = { command: '{command}', args: '{args}' };
export const urlAndHeaders: Shape = { url: '{url}', headers: '{headers}' };

/** The same place on every system. */
export function everywhere(path: string): Program['files'] {
  return { darwin: [file(path)], win32: [file(path)], linux: [file(path)] };
}

/** Places by system, one each. */
export function bySystem(paths: Readonly<Record<System, string>>): Program['files'] {
  return { darwin: [file(paths.darwin)], win32: [file(paths.win32)], linux: [file(paths.linux)] };
}

/** A place in the folder of an editor of the family of VS Code. */
export function inCodeFolder(editor: string, path: string): Program['files'] {
  return bySystem({
    darwin: `~/Library/Application Support/${editor}/User/${path}`,
    win32: `{APPDATA|~/AppData/Roaming}/${editor}/User/${path}`,
    linux: `{XDG_CONFIG_HOME|~/.config}/${editor}/User/${path}`,
  });
}

function file(path: string): Program['files'][System][number] {
  return { path, counts: 'file' };
}
