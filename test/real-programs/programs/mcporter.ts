import type { RealProgram } from '../real-program.ts';

/** A caller of tools, without a model. It reads the file of Cursor. */
export const mcporter: RealProgram = {
  package: 'mcporter',
  id: 'cursor',
  prepare: (home) => void home.put('.cursor/mcp.json', '{ "mcpServers": {} }\n'),
  environment: () => ({}),
  ask: {
    words: ['mcporter', '--config', '{home}/.cursor/mcp.json', 'call', 'notes.whoami'],
    seenBy: 'output',
    codeOfRefusal: 1,
  },
  list: { words: ['mcporter', '--config', '{home}/.cursor/mcp.json', 'list'], read: /notes/, reached: /notes.*tools/ },
};
