import type { Program, Shape, System } from '../../apps/table/program.ts';

/** What most programs take. */
export const commandAndArgs: Shape = { command: '{command}', args: '{args}' };
export const urlAndHeaders: Shape = { url: '{url}', headers: '{headers}' };

/** Of Qwen Code, to which an empty list allows none; the second two are of earlier versions. Names have no wildcards. */
export const qwenGates: NonNullable<Program['gates']> = [
  { member: 'mcp.allowed', keepsOut: 'others' },
  { member: 'mcp.excluded', keepsOut: 'named' },
  { member: 'allowMCPServers', keepsOut: 'others' },
  { member: 'excludeMCPServers', keepsOut: 'named' },
  { member: 'admin.mcp.enabled', keepsOut: 'all' },
];

/** Of Gemini CLI, which it was made from: an empty list allows all, and `/mcp disable` has a file of its own. */
export const geminiGates: Program['gates'] = [
  ...qwenGates.map((gate) => (gate.keepsOut === 'others' ? { ...gate, keepsOut: 'others-if-any' as const } : gate)),
  { file: 'mcp-server-enablement.json', member: '', keepsOut: 'switched' },
];

const claudeMembers = [
  { member: 'deniedMcpServers', keepsOut: 'named' },
  { member: 'allowedMcpServers', keepsOut: 'others' },
  { member: 'disabledMcpServers', keepsOut: 'named' },
  // Of `.mcp.json` in the folder of a project.
  { member: 'disabledMcpjsonServers', keepsOut: 'named', ofProjects: true },
] as const;

/** Of Claude Code, in the files of its settings. */
export const claudeGates: Program['gates'] = ['.claude/settings.json', '.claude/settings.local.json'].flatMap(
  (settings) => claudeMembers.map((gate) => ({ file: settings, ...gate })),
);

/** Of VS Code, in its settings. */
export const codeGates: Program['gates'] = [
  { file: 'settings.json', member: 'chat.mcp.enabled', keepsOut: 'all' },
  { file: 'settings.json', member: 'chat.mcp.access', keepsOut: 'all' },
];

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
