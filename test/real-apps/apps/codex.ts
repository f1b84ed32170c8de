import { hasUsualBus } from '../loopback-only.ts';
import { prompt, type RealApp } from '../real-app.ts';

// Its own grace period for a slow server is one second; then its only prompt here runs without the server.
export const codex: RealApp = {
  package: 'codex',
  id: 'codex',
  prepare: (home, model) =>
    void home.put(
      '.codex/config.toml',
      `model = "stand-in"
model_provider = "stand-in"
approval_policy = "never"
check_for_update_on_startup = false
mcp_optional_startup_grace_ms = 0

[analytics]
enabled = false

[features]
plugins = false
apps = false

[model_providers.stand-in]
name = "Stand-in"
base_url = "${model}/v1"
wire_api = "responses"
`,
    ),
  waitsForAnswers: true,
  environment: () => ({}),
  ask: {
    words: [
      'codex',
      'exec',
      '--skip-git-repo-check',
      '-c',
      'mcp_servers.notes.default_tools_approval_mode="approve"',
      prompt,
    ],
    seenBy: 'model',
  },
  httpNeeds: () =>
    process.platform !== 'linux' || hasUsualBus()
      ? undefined
      : 'its command for header fields is not told where the keychain is, and no session bus is at the usual place',
  list: { words: ['codex', 'mcp', 'list', '--json'], read: /"name": "notes"/ },
};
