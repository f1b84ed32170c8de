import { prompt, type RealProgram } from '../real-program.ts';

export const geminiCli: RealProgram = {
  package: 'gemini-cli',
  id: 'gemini-cli',
  prepare(home) {
    home.put(
      '.gemini/settings.json',
      `{
  // Mine.
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "disableAutoUpdate": true, "disableUpdateNag": true }
}
`,
    );
    // Elsewhere it leaves the servers of the person alone.
    home.put('.gemini/trustedFolders.json', JSON.stringify({ [home.at('work')]: 'TRUST_FOLDER' }));
  },
  environment: (model) => ({ GEMINI_API_KEY: 'stand-in', GOOGLE_GEMINI_BASE_URL: model }),
  ask: { words: ['gemini', '-m', 'gemini-2.5-flash', '--yolo', '-p', prompt], seenBy: 'model' },
  list: { words: ['gemini', 'mcp', 'list'], read: /notes/, reached: /notes.*Connected/ },
};
