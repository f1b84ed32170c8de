import { prompt, type RealApp } from '../real-app.ts';

export const claudeCode: RealApp = {
  package: 'claude-code',
  id: 'claude-code',
  prepare: (home) => void home.put('.claude.json', '{}'),
  waitsForAnswers: true,
  environment: (model) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'stand-in',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Otherwise it continues before its servers have responded, and hides their tools until the model searches for
    // them.
    MCP_CONNECTION_NONBLOCKING: '0',
    ENABLE_TOOL_SEARCH: 'false',
  }),
  ask: {
    words: ['claude', '-p', prompt, '--allowedTools', 'mcp__notes__whoami', '--output-format', 'json'],
    seenBy: 'model',
  },
  list: { words: ['claude', 'mcp', 'list'], read: /^notes:/m, reached: /^notes:.*Connected/m },
};
