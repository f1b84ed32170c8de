import type { RealApp } from '../real-app.ts';

const start = ['mcp-inspector', '--cli', '--config', '{home}/.cursor/mcp.json', '--server', 'notes', '--method'];

/** The official Inspector. It reads a file in Cursor's format, and gives a server the fewest variables of all. */
export const inspector: RealApp = {
  package: 'inspector',
  id: 'cursor',
  prepare: (home) => void home.put('.cursor/mcp.json', '{ "mcpServers": {} }\n'),
  environment: () => ({}),
  ask: { words: [...start, 'tools/call', '--tool-name', 'whoami'], seenBy: 'output', codeOfRefusal: 5 },
  list: { words: [...start, 'tools/list'], read: /"whoami"/, reached: /"whoami"/, codeWhenGone: 1 },
  httpNeeds: () => 'it wants the kind of transport in an entry, and that of Cursor has none',
};
