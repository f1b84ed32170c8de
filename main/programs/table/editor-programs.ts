import type { Program } from '../program.ts';
import { bySystem, commandAndArgs, everywhere, inCodeFolder, urlAndHeaders } from './shapes.ts';

const cursor: Program = {
  id: 'cursor',
  name: 'Cursor',
  files: everywhere('~/.cursor/mcp.json'),
  projectFile: '.cursor/mcp.json',
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  http: urlAndHeaders,
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'restart',
  provenBy: 'documentation and sources of ToolHive and add-mcp 2.4.0; not run',
};

const vscode: Program = {
  id: 'vscode',
  name: 'VS Code',
  files: inCodeFolder('Code', 'mcp.json'),
  projectFile: '.vscode/mcp.json',
  format: 'jsonc',
  list: 'servers',
  trailingCommas: true,
  stdio: { type: 'stdio', ...commandAndArgs },
  http: { type: 'http', ...urlAndHeaders },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'at-once',
  provenBy: 'documentation (vscode-docs, mcp-configuration) and source; not run',
};

const vscodeInsiders: Program = {
  ...vscode,
  id: 'vscode-insiders',
  name: 'VS Code Insiders',
  files: inCodeFolder('Code - Insiders', 'mcp.json'),
};

const windsurf: Program = {
  id: 'windsurf',
  name: 'Windsurf',
  files: everywhere('~/.codeium/windsurf/mcp_config.json'),
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  http: { serverUrl: '{url}', headers: '{headers}' },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'button',
  provenBy: 'documentation and source of add-mcp 2.4.0; not run',
};

const zed: Program = {
  id: 'zed',
  name: 'Zed',
  files: bySystem({
    darwin: '~/.config/zed/settings.json',
    win32: '{APPDATA|~/AppData/Roaming}/Zed/settings.json',
    linux: '{XDG_CONFIG_HOME|~/.config}/zed/settings.json',
  }),
  projectFile: '.zed/settings.json',
  format: 'jsonc',
  list: 'context_servers',
  trailingCommas: true,
  stdio: { source: 'custom', ...commandAndArgs, env: {} },
  http: urlAndHeaders,
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'at-once',
  provenBy: 'source (crates/paths, serde_json_lenient); addresses in newer versions alone; not run',
};

const cline: Program = {
  id: 'cline',
  name: 'Cline',
  files: inCodeFolder('Code', 'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
  format: 'json',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: { ...commandAndArgs, disabled: false },
  http: { type: 'streamableHttp', ...urlAndHeaders, disabled: false },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'at-once',
  provenBy: 'source; not run in VS Code',
};

const clineCli: Program = {
  ...cline,
  id: 'cline-cli',
  name: 'Cline CLI',
  files: everywhere('{CLINE_DIR|~/.cline}/data/settings/cline_mcp_settings.json'),
  notice: 'new-session',
  provenBy: 'Cline CLI 3.0.65, run on Linux',
};

export const editorPrograms: readonly Program[] = [cursor, vscode, vscodeInsiders, windsurf, zed, cline, clineCli];
