import type { Program } from './program.ts';
import { claudeGates, commandAndArgs, everywhere } from './shapes.ts';

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
