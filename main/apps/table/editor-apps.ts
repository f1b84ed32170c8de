import {
  bySystem,
  codeGates,
  commandAndArgs,
  everywhere,
  inCodeFolder,
  installedOnWindows,
  urlAndHeaders,
} from './app.ts';
import type { App } from './app.ts';

const cursor: App = {
  id: 'cursor',
  name: 'Cursor',
  program: { desktopFiles: ['cursor'], bundle: 'Cursor', executables: installedOnWindows('cursor/Cursor.exe') },
  files: everywhere('~/.cursor/mcp.json'),
  projectFiles: ['.cursor/mcp.json'],
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  http: urlAndHeaders,
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'restart',
  evidence: 'documentation and sources of ToolHive and add-mcp 2.4.0; not run',
};

const vscode: App = {
  id: 'vscode',
  name: 'VS Code',
  program: {
    desktopFiles: ['code', 'code_code', 'com.visualstudio.code'],
    bundle: 'Visual Studio Code',
    executables: installedOnWindows('Microsoft VS Code/Code.exe'),
  },
  files: inCodeFolder('Code', 'mcp.json'),
  projectFiles: ['.vscode/mcp.json'],
  hasProfiles: true,
  format: 'jsonc',
  list: 'servers',
  trailingCommas: true,
  stdio: { type: 'stdio', ...commandAndArgs },
  http: { type: 'http', ...urlAndHeaders },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'at-once',
  gates: codeGates,
  note: 'asks-for-trust',
  evidence: 'documentation (vscode-docs, mcp-configuration) and source (userDataProfile.ts for profiles); not run',
};

const vscodeInsiders: App = {
  ...vscode,
  id: 'vscode-insiders',
  name: 'VS Code Insiders',
  program: {
    desktopFiles: ['code-insiders', 'code-insiders_code-insiders'],
    bundle: 'Visual Studio Code - Insiders',
    executables: installedOnWindows('Microsoft VS Code Insiders/Code - Insiders.exe'),
  },
  files: inCodeFolder('Code - Insiders', 'mcp.json'),
};

const windsurf: App = {
  id: 'windsurf',
  name: 'Windsurf',
  program: { desktopFiles: ['windsurf'], bundle: 'Windsurf', executables: installedOnWindows('Windsurf/Windsurf.exe') },
  files: everywhere('~/.codeium/windsurf/mcp_config.json'),
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  http: { serverUrl: '{url}', headers: '{headers}' },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'button',
  evidence: 'documentation and source of add-mcp 2.4.0; not run',
};

/** The plugin for JetBrains IDEs has its own list. */
const windsurfPlugin: App = {
  ...windsurf,
  id: 'windsurf-jetbrains',
  name: 'Windsurf for JetBrains',
  program: undefined,
  files: everywhere('~/.codeium/mcp_config.json'),
  // The folder also exists with the editor alone.
  installedIf: ['~/.codeium/mcp_config.json'],
  evidence: 'documentation; not run',
};

const zed: App = {
  id: 'zed',
  name: 'Zed',
  program: { desktopFiles: ['dev.zed.Zed'], bundle: 'Zed', executables: installedOnWindows('Zed/Zed.exe') },
  files: bySystem({
    darwin: '~/.config/zed/settings.json',
    win32: '{APPDATA|~/AppData/Roaming}/Zed/settings.json',
    linux: '{XDG_CONFIG_HOME|~/.config}/zed/settings.json',
  }),
  projectFiles: ['.zed/settings.json'],
  format: 'jsonc',
  list: 'context_servers',
  trailingCommas: true,
  stdio: { source: 'custom', ...commandAndArgs, env: {} },
  http: urlAndHeaders,
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'at-once',
  evidence: 'source (crates/paths, serde_json_lenient); URLs only in newer versions; not run',
};

/** In Flatpak, Zed has its own config folder, but commands run on the host. */
const zedFlatpak: App = {
  ...zed,
  id: 'zed-flatpak',
  name: 'Zed (Flatpak)',
  files: everywhere('{FLATPAK_XDG_CONFIG_HOME|~/.var/app/dev.zed.Zed/config}/zed/settings.json'),
  evidence: 'source (crates/paths: FLATPAK_XDG_CONFIG_HOME; crates/zed: starts itself again on the host); not run',
};

const clineFile = 'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';

const cline: App = {
  id: 'cline',
  name: 'Cline',
  files: inCodeFolder('Code', clineFile),
  format: 'json',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: { ...commandAndArgs, disabled: false },
  http: { type: 'streamableHttp', ...urlAndHeaders, disabled: false },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'at-once',
  evidence: 'source (McpHub.watchMcpSettingsFile watches its file); not run in VS Code',
};

/** The same extension in other editors of the VS Code family. */
const otherClines: readonly App[] = (
  [
    ['cursor', 'Cursor', 'Cursor'],
    ['windsurf', 'Windsurf', 'Windsurf'],
    ['insiders', 'VS Code Insiders', 'Code - Insiders'],
    ['vscodium', 'VSCodium', 'VSCodium'],
  ] as const
).map(([id, host, folder]) => ({
  ...cline,
  id: `cline-${id}`,
  name: `Cline in ${host}`,
  files: inCodeFolder(folder, clineFile),
  evidence: `source, and where ${host} stores the files of extensions; not run`,
}));

const clineCli: App = {
  ...cline,
  id: 'cline-cli',
  name: 'Cline CLI',
  files: everywhere('{CLINE_DIR|~/.cline}/data/settings/cline_mcp_settings.json'),
  notice: 'new-session',
  evidence: 'Cline CLI 3.0.65 on Linux: it connected to a server of its list at the start; no tool was called',
};

export const editorApps: readonly App[] = [
  cursor,
  vscode,
  vscodeInsiders,
  windsurf,
  windsurfPlugin,
  zed,
  zedFlatpak,
  cline,
  ...otherClines,
  clineCli,
];

const aiAssistant: App = {
  id: 'jetbrains',
  name: 'JetBrains AI Assistant',
  files: everywhere('~/.ai/mcp/mcp.json'),
  installedIf: [
    '~/.ai/mcp',
    '{XDG_CONFIG_HOME|~/.config}/JetBrains',
    '{APPDATA|~/AppData/Roaming}/JetBrains',
    '~/Library/Application Support/JetBrains',
  ],
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  http: urlAndHeaders,
  nameRule: 'any',
  // Earlier versions store the list in the settings of each IDE.
  whenAbsent: 'paste',
  notice: 'restart',
  evidence: 'dyoshikawa/rulesync#2600 and pull request 3004; not run',
};

const junie: App = {
  id: 'junie',
  name: 'Junie',
  files: everywhere('~/.junie/mcp/mcp.json'),
  installedIf: ['~/.junie'],
  projectFiles: ['.junie/mcp/mcp.json'],
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'restart',
  evidence: 'issues of programs that write its file; not run',
};

const copilot: App = {
  id: 'copilot-jetbrains',
  name: 'Copilot for JetBrains',
  files: bySystem({
    darwin: '~/.config/github-copilot/intellij/mcp.json',
    win32: '{LOCALAPPDATA|~/AppData/Local}/github-copilot/intellij/mcp.json',
    linux: '{XDG_CONFIG_HOME|~/.config}/github-copilot/intellij/mcp.json',
  }),
  format: 'jsonc',
  list: 'servers',
  trailingCommas: false,
  stdio: { type: 'stdio', ...commandAndArgs },
  http: { type: 'http', ...urlAndHeaders },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'restart',
  evidence: 'issues of programs that write its file; its path on macOS is not confirmed; not run',
};

export const jetbrainsApps: readonly App[] = [aiAssistant, junie, copilot];
