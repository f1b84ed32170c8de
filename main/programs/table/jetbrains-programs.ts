import type { Program } from './program.ts';
import { bySystem, commandAndArgs, everywhere, urlAndHeaders } from './shapes.ts';

const aiAssistant: Program = {
  id: 'jetbrains',
  name: 'JetBrains AI Assistant',
  files: everywhere('~/.ai/mcp/mcp.json'),
  foundBy: [
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
  // Earlier ones keep the list in the settings of each IDE.
  whenAbsent: 'paste',
  notice: 'restart',
  provenBy: 'dyoshikawa/rulesync#2600 and pull request 3004; not run',
};

const junie: Program = {
  id: 'junie',
  name: 'Junie',
  files: everywhere('~/.junie/mcp/mcp.json'),
  foundBy: ['~/.junie'],
  projectFiles: ['.junie/mcp/mcp.json'],
  format: 'jsonc',
  list: 'mcpServers',
  trailingCommas: false,
  stdio: commandAndArgs,
  nameRule: 'any',
  whenAbsent: 'make',
  notice: 'restart',
  provenBy: 'issues of programs that write its file; not run',
};

const copilot: Program = {
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
  provenBy: 'issues of programs that write its file; its place on macOS is not established; not run',
};

export const jetbrainsPrograms: readonly Program[] = [aiAssistant, junie, copilot];
