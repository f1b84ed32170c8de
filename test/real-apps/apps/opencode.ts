import { prompt, type RealApp } from '../real-app.ts';

export const openCode: RealApp = {
  package: 'opencode',
  id: 'opencode',
  prepare: (home, model) =>
    void home.put(
      '.config/opencode/opencode.json',
      `{
  // The model of this computer.
  "provider": {
    "stand-in": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${model}/v1", "apiKey": "stand-in" },
      "models": { "stand-in": {} },
    },
  },
  "autoupdate": false,
}
`,
    ),
  environment: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  ask: { words: ['opencode', 'run', '-m', 'stand-in/stand-in', prompt], seenBy: 'model' },
  // Types for plugins, which it installs beside every configuration, with or without plugins.
  knownRequests: [/^registry\.[a-z]+\.org:443$/],
  list: { words: ['opencode', 'mcp', 'list'], read: /notes/, reached: /notes.*connected/ },
};
