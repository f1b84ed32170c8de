import { mkdirSync } from 'node:fs';
import { prompt, type RealApp } from '../real-app.ts';

export const copilotCli: RealApp = {
  package: 'copilot-cli',
  id: 'copilot-cli',
  prepare: (home) => mkdirSync(home.at('.copilot')),
  offersFromBefore: true,
  environment: (model) => ({
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_MODEL: 'stand-in',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  ask: { words: ['copilot', '-p', prompt, '--allow-all-tools'], seenBy: 'model' },
  list: { words: ['copilot', 'mcp', 'list'], read: /notes/ },
};
