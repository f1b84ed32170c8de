import { prompt, type RealApp } from '../real-app.ts';

export const continueApp: RealApp = {
  package: 'continue',
  id: 'continue',
  prepare: (home, model) =>
    void home.put(
      '.continue/config.yaml',
      `name: Mine
version: 0.0.1
schema: v1
models:
  - name: Stand-in
    provider: openai
    model: stand-in
    apiBase: ${model}/v1
    apiKey: stand-in
    capabilities: [tool_use]
`,
    ),
  environment: () => ({ CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0' }),
  ask: { words: ['cn', '-p', '--config', '{home}/.continue/config.yaml', '--auto', prompt], seenBy: 'model' },
  // Its newest version, which it requests at every start.
  knownRequests: [/^api\.continue\.dev:443$/],
};
