import type { RealApp } from '../real-app.ts';

/** Calls tools without a model. It reads Cursor's file. */
export const mcporter: RealApp = {
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
