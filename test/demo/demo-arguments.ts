import { parseArgs } from 'node:util';

/** How a client gets its credentials for the demo server. */
export type DemoMode = 'registration' | 'typed' | 'no-auth';

export interface DemoArguments {
  readonly mode: DemoMode;
  readonly authPort: number;
  readonly mcpPort: number;
  /** Signs in as the demo user without a page. */
  readonly approve: boolean;
  readonly help: boolean;
}

export const demoHelp = `A local server to try Postern with.

  npm run demo                      the server registers clients automatically
  npm run demo -- --typed           it requires a client ID and secret (printed)
  npm run demo -- --no-auth         no sign-in

  --approve        signs in as the demo user automatically
  --mcp-port N     port of the MCP server             (7301)
  --auth-port N    port of the authorization server   (7302)
`;

/** Throws an Error with one plain sentence for invalid arguments. */
export function parseDemoArguments(values: readonly string[]): DemoArguments {
  const { values: given } = parseArgs({
    args: [...values],
    options: {
      registration: { type: 'boolean', default: false },
      typed: { type: 'boolean', default: false },
      'no-auth': { type: 'boolean', default: false },
      approve: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      'auth-port': { type: 'string', default: '7302' },
      'mcp-port': { type: 'string', default: '7301' },
    },
  });
  const modes: readonly DemoMode[] = ['registration', 'typed', 'no-auth'];
  const chosen = modes.filter((mode) => given[mode]);
  if (chosen.length > 1) throw new Error(`Choose one of ${chosen.map((mode) => `--${mode}`).join(' and ')}.`);
  return {
    mode: chosen[0] ?? 'registration',
    authPort: parsePort('--auth-port', given['auth-port']),
    mcpPort: parsePort('--mcp-port', given['mcp-port']),
    approve: given.approve,
    help: given.help,
  };
}

function parsePort(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new Error(`${name} must be a number between 0 and 65535.`);
}
