import {
  bySystem,
  claudeGates,
  commandAndArgs,
  everywhere,
  geminiGates,
  installedOnWindows,
  qwenGates,
  urlAndHeaders,
} from './app.ts';
import type { App } from './app.ts';

const codex: App = {
  id: 'codex',
  name: 'Codex',
  program: { desktopFiles: [], bundle: 'Codex', executables: [] },
  files: everywhere('{CODEX_HOME|~/.codex}/config.toml'),
  projectFiles: ['.codex/config.toml'],
  format: 'toml',
  list: 'mcp_servers',
  trailingCommas: false,
  stdio: commandAndArgs,
  http: { url: '{url}', http_headers_helper: '{helper}' },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'new-session',
  note: 'chatgpt-too',
  evidence:
    'npm run apps: Codex 0.169.0 on Linux, by pipe and over HTTP; the ChatGPT desktop app reads the same file (documentation)',
};

const gemini: App = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  files: everywhere('{GEMINI_CLI_HOME|~}/.gemini/settings.json'),
  projectFiles: ['.gemini/settings.json'],
  format: 'jsonc',
  list: 'mcpServers',
  // It reads comments but fails on a trailing comma.
  trailingCommas: false,
  stdio: commandAndArgs,
  http: { type: 'http', ...urlAndHeaders },
  nameRule: 'no-underscore',
  whenAbsent: 'make',
  notice: 'new-session',
  gates: geminiGates,
  note: 'trusted-folders',
  evidence:
    'npm run apps: Gemini CLI 0.61.0 on Linux, by pipe and over HTTP; user servers are disabled in untrusted folders',
};

const qwen: App = {
  id: 'qwen-code',
  name: 'Qwen Code',
  files: everywhere('~/.qwen/settings.json'),
  projectFiles: ['.qwen/settings.json'],
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  http: { httpUrl: '{url}', headers: '{headers}' },
  // Inherited from Gemini CLI, which it is a fork of.
  nameRule: 'no-underscore',
  whenAbsent: 'make',
  notice: 'new-session',
  gates: qwenGates,
  evidence: 'npm run apps: Qwen Code 0.24.4 on Linux, by pipe and over HTTP',
};

const copilotCli: App = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  files: everywhere('{COPILOT_HOME|~/.copilot}/mcp-config.json'),
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: { type: 'local', ...commandAndArgs, tools: ['*'] },
  http: { type: 'http', ...urlAndHeaders, tools: ['*'] },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'new-session',
  evidence: 'npm run apps: Copilot CLI 1.0.102 on Linux, by pipe and over HTTP',
};

const openCode: App = {
  id: 'opencode',
  name: 'OpenCode',
  program: { desktopFiles: ['OpenCode'], bundle: 'OpenCode', executables: [] },
  // The app uses the first one that exists.
  files: {
    darwin: openCodeFiles(),
    win32: openCodeFiles(),
    linux: openCodeFiles(),
  },
  projectFiles: ['opencode.jsonc', 'opencode.json'],
  format: 'jsonc',
  list: 'mcp',
  trailingCommas: true,
  stdio: { type: 'local', command: '{words}', enabled: true },
  http: { type: 'remote', ...urlAndHeaders, oauth: false, enabled: true },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'new-session',
  gates: [
    { member: 'tools', excludes: 'tools' },
    { member: 'permission', excludes: 'tools' },
  ],
  evidence: 'npm run apps: OpenCode 1.18.33 on Linux, by pipe and over HTTP',
};

const goose: App = {
  id: 'goose',
  name: 'Goose',
  program: { desktopFiles: ['goose'], bundle: 'Goose', executables: [] },
  files: bySystem({
    darwin: '~/.config/goose/config.yaml',
    win32: '{APPDATA|~/AppData/Roaming}/Block/goose/config/config.yaml',
    linux: '{XDG_CONFIG_HOME|~/.config}/goose/config.yaml',
  }),
  format: 'yaml-map',
  list: 'extensions',
  trailingCommas: false,
  stdio: { name: '{name}', type: 'stdio', enabled: true, cmd: '{command}', args: '{args}', envs: {}, timeout: 300 },
  http: {
    name: '{name}',
    type: 'streamable_http',
    enabled: true,
    uri: '{url}',
    headers: '{headers}',
    envs: {},
    timeout: 300,
  },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'restart',
  evidence: 'documentation; not run',
};

const continueApp: App = {
  id: 'continue',
  name: 'Continue',
  files: everywhere('~/.continue/config.yaml'),
  format: 'yaml-list',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: { name: '{name}', type: 'stdio', ...commandAndArgs },
  http: { name: '{name}', type: 'streamable-http', url: '{url}', requestOptions: { headers: '{headers}' } },
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'new-session',
  evidence: 'npm run apps: @continuedev/cli 1.5.47 on Linux, by pipe and over HTTP',
};

const lmStudio: App = {
  id: 'lm-studio',
  name: 'LM Studio',
  program: {
    desktopFiles: ['lm-studio'],
    bundle: 'LM Studio',
    executables: installedOnWindows('LM Studio/LM Studio.exe'),
  },
  files: everywhere('~/.lmstudio/mcp.json'),
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  http: urlAndHeaders,
  nameRule: 'any',
  whenAbsent: 'make',
  // A restart is enough; it is not known whether less would do.
  notice: 'restart',
  evidence: 'documentation and source of add-mcp 2.4.0; not run',
};

function openCodeFiles(): App['files']['linux'] {
  return [
    { path: '{XDG_CONFIG_HOME|~/.config}/opencode/opencode.jsonc', usedIf: 'file' },
    { path: '{XDG_CONFIG_HOME|~/.config}/opencode/opencode.json', usedIf: 'file' },
  ];
}

export const cliAndDesktopApps: readonly App[] = [
  codex,
  gemini,
  goose,
  lmStudio,
  continueApp,
  copilotCli,
  openCode,
  qwen,
];

const claudeCode: App = {
  id: 'claude-code',
  name: 'Claude Code',
  files: everywhere('{CLAUDE_CONFIG_DIR|~}/.claude.json'),
  installedIf: ['{CLAUDE_CONFIG_DIR|~}/.claude.json'],
  projectFiles: ['.mcp.json'],
  format: 'json',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: { type: 'stdio', ...commandAndArgs },
  http: { type: 'http', url: '{url}', headersHelper: '{helper}' },
  nameRule: 'any',
  // Its running sessions store state in the same file and rewrite it whole.
  command: {
    name: 'claude',
    places: ['~/.local/bin/claude', '~/.claude/local/claude'],
    add: ['mcp', 'add-json', '{name}', '{entry}', '-s', 'user'],
    remove: ['mcp', 'remove', '{name}', '-s', 'user'],
  },
  whenAbsent: 'paste',
  notice: 'new-session',
  gates: claudeGates,
  evidence: 'npm run apps: Claude Code 2.1.330 on Linux, by pipe and over HTTP (headersHelper)',
};

const claudeDesktop: App = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  program: {
    desktopFiles: ['com.anthropic.Claude', 'claude-desktop'],
    bundle: 'Claude',
    executables: ['{LOCALAPPDATA|~/AppData/Local}/AnthropicClaude/claude.exe'],
  },
  files: {
    darwin: [{ path: '~/Library/Application Support/Claude/claude_desktop_config.json', usedIf: 'file' }],
    // The MSIX package reads its own folder (the first), whatever the other file says.
    win32: [
      {
        path: '{LOCALAPPDATA|~/AppData/Local}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json',
        usedIf: 'folder',
      },
      { path: '{APPDATA|~/AppData/Roaming}/Claude/claude_desktop_config.json', usedIf: 'file' },
    ],
    linux: [{ path: '{XDG_CONFIG_HOME|~/.config}/Claude/claude_desktop_config.json', usedIf: 'file' }],
  },
  format: 'json',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'restart',
  evidence: 'documentation; anthropics/claude-code#26073, #25579 for Windows; not run',
};

export const claudeApps: readonly App[] = [claudeCode, claudeDesktop];
