import { bySystem, claudeGates, commandAndArgs, everywhere, geminiGates, qwenGates, urlAndHeaders } from './program.ts';
import type { Program } from './program.ts';

const codex: Program = {
  id: 'codex',
  name: 'Codex',
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
  provenBy:
    'npm run programs: Codex 0.169.0 on Linux, by pipe and over HTTP; the ChatGPT desktop program reads the same file (documentation)',
};

const gemini: Program = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  files: everywhere('{GEMINI_CLI_HOME|~}/.gemini/settings.json'),
  projectFiles: ['.gemini/settings.json'],
  format: 'jsonc',
  list: 'mcpServers',
  // It reads comments, and fails on a comma after the last member.
  trailingCommas: false,
  stdio: commandAndArgs,
  http: { type: 'http', ...urlAndHeaders },
  nameRule: 'no-underscore',
  whenAbsent: 'make',
  notice: 'new-session',
  gates: geminiGates,
  note: 'trusted-folders',
  provenBy:
    'npm run programs: Gemini CLI 0.61.0 on Linux, by pipe and over HTTP; servers of the person are off in folders that are not trusted',
};

const qwen: Program = {
  id: 'qwen-code',
  name: 'Qwen Code',
  files: everywhere('~/.qwen/settings.json'),
  projectFiles: ['.qwen/settings.json'],
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  http: { httpUrl: '{url}', headers: '{headers}' },
  // Of Gemini CLI, which it is made from.
  nameRule: 'no-underscore',
  whenAbsent: 'make',
  notice: 'new-session',
  gates: qwenGates,
  provenBy: 'npm run programs: Qwen Code 0.24.4 on Linux, by pipe and over HTTP',
};

const copilotCli: Program = {
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
  provenBy: 'npm run programs: Copilot CLI 1.0.102 on Linux, by pipe and over HTTP',
};

const openCode: Program = {
  id: 'opencode',
  name: 'OpenCode',
  // The first shadows the second.
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
    { member: 'tools', keepsOut: 'tools' },
    { member: 'permission', keepsOut: 'tools' },
  ],
  provenBy: 'npm run programs: OpenCode 1.18.33 on Linux, by pipe and over HTTP',
};

const goose: Program = {
  id: 'goose',
  name: 'Goose',
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
  provenBy: 'documentation; not run',
};

const continueProgram: Program = {
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
  provenBy: 'npm run programs: @continuedev/cli 1.5.47 on Linux, by pipe and over HTTP',
};

const lmStudio: Program = {
  id: 'lm-studio',
  name: 'LM Studio',
  files: everywhere('~/.lmstudio/mcp.json'),
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  http: urlAndHeaders,
  nameRule: 'any',
  whenAbsent: 'make',
  // A new start is enough; whether less is, nobody has shown.
  notice: 'restart',
  provenBy: 'documentation and source of add-mcp 2.4.0; not run',
};

function openCodeFiles(): Program['files']['linux'] {
  return [
    { path: '{XDG_CONFIG_HOME|~/.config}/opencode/opencode.jsonc', counts: 'file' },
    { path: '{XDG_CONFIG_HOME|~/.config}/opencode/opencode.json', counts: 'file' },
  ];
}

export const terminalPrograms: readonly Program[] = [
  codex,
  gemini,
  goose,
  lmStudio,
  continueProgram,
  copilotCli,
  openCode,
  qwen,
];

const claudeCode: Program = {
  id: 'claude-code',
  name: 'Claude Code',
  files: everywhere('{CLAUDE_CONFIG_DIR|~}/.claude.json'),
  foundBy: ['{CLAUDE_CONFIG_DIR|~}/.claude.json'],
  projectFiles: ['.mcp.json'],
  format: 'json',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: { type: 'stdio', ...commandAndArgs },
  http: { type: 'http', url: '{url}', headersHelper: '{helper}' },
  nameRule: 'any',
  // Its running sessions keep their state in the file, and write it as a whole.
  command: {
    name: 'claude',
    places: ['~/.local/bin/claude', '~/.claude/local/claude'],
    add: ['mcp', 'add-json', '{name}', '{entry}', '-s', 'user'],
    remove: ['mcp', 'remove', '{name}', '-s', 'user'],
  },
  whenAbsent: 'paste',
  notice: 'new-session',
  gates: claudeGates,
  provenBy: 'npm run programs: Claude Code 2.1.330 on Linux, by pipe and over HTTP (headersHelper)',
};

const claudeDesktop: Program = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  files: {
    darwin: [{ path: '~/Library/Application Support/Claude/claude_desktop_config.json', counts: 'file' }],
    // The packaged program reads the second place of the two, whatever stands in the first.
    win32: [
      {
        path: '{LOCALAPPDATA|~/AppData/Local}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json',
        counts: 'folder',
      },
      { path: '{APPDATA|~/AppData/Roaming}/Claude/claude_desktop_config.json', counts: 'file' },
    ],
    linux: [{ path: '{XDG_CONFIG_HOME|~/.config}/Claude/claude_desktop_config.json', counts: 'file' }],
  },
  format: 'json',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'restart',
  provenBy: 'documentation; anthropics/claude-code#26073, #25579 for Windows; not run',
};

export const claudePrograms: readonly Program[] = [claudeCode, claudeDesktop];
