import { prompt, type RealApp } from '../real-app.ts';

export const qwenCode: RealApp = {
  package: 'qwen-code',
  id: 'qwen-code',
  prepare: (home) =>
    void home.put(
      '.qwen/settings.json',
      `{
  // Mine. Otherwise the model has to look for tools before it can call them.
  "tools": { "toolSearch": { "enabled": false } },
  "security": { "auth": { "selectedType": "openai" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "disableAutoUpdate": true, "disableUpdateNag": true }
}
`,
    ),
  environment: (model) => ({
    OPENAI_API_KEY: 'stand-in',
    OPENAI_BASE_URL: `${model}/v1`,
    OPENAI_MODEL: 'stand-in',
  }),
  ask: { words: ['qwen', '--yolo', '-p', prompt], seenBy: 'model' },
  list: { words: ['qwen', 'mcp', 'list'], read: /notes/, reached: /notes.*Connected/ },
};
