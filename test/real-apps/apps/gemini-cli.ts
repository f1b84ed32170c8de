import { prompt, type RealApp } from '../real-app.ts';

export const geminiCli: RealApp = {
  package: 'gemini-cli',
  id: 'gemini-cli',
  prepare(home) {
    home.put(
      '.gemini/settings.json',
      `{
  // The test's own settings.
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "disableAutoUpdate": true, "disableUpdateNag": true }
}
`,
    );
    // Elsewhere it ignores the user's servers.
    home.put('.gemini/trustedFolders.json', JSON.stringify({ [home.at('work')]: 'TRUST_FOLDER' }));
  },
  environment: (model) => ({ GEMINI_API_KEY: 'stand-in', GOOGLE_GEMINI_BASE_URL: model }),
  ask: { words: ['gemini', '-m', 'gemini-2.5-flash', '--yolo', '-p', prompt], seenBy: 'model' },
  list: { words: ['gemini', 'mcp', 'list'], read: /notes/, reached: /notes.*Connected/ },
};
