import { parseArgs } from 'node:util';
import { parseDemoArguments } from './demo-arguments.ts';
import type { DemoArguments } from './demo-arguments.ts';

export interface StartArguments extends DemoArguments {
  readonly signIn: 'browser' | 'print' | undefined;
  /** Shows the window: no option for the command line was given. */
  readonly window: boolean;
  /** Exits once the window is usable. */
  readonly smoke: boolean;
}

export const startHelp = `Shows what Postern does, with a demo server on this computer.

  npm start                        the window, which suggests the demo server first
  npm start -- --smoke             the window, which exits once it is usable
  npm start -- --approve           the command line; a scripted browser signs in as the demo user

  --sign-in browser|print          the command line; you sign in, in your browser or with a printed link
  --typed                          the server requires a client ID and secret
  --no-auth                        the server needs no sign-in
  --mcp-port N, --auth-port N      ports of the demo servers   (7301, 7302)
`;

/** Throws an Error with one plain sentence for invalid arguments. */
export function parseStartArguments(values: readonly string[]): StartArguments {
  const smoke = values.includes('--smoke');
  const others = values.filter((value) => value !== '--smoke');
  const given = readSignIn(others);
  const window = !given.approve && given.signIn === undefined;
  if (smoke && !window) throw new Error('--smoke is for the window; --approve and --sign-in are for the command line.');
  return { ...given, window, smoke };
}

function readSignIn(values: readonly string[]): Omit<StartArguments, 'window' | 'smoke'> {
  const { tokens } = parseArgs({
    args: [...values],
    options: { 'sign-in': { type: 'string' } },
    strict: false,
    tokens: true,
  });
  const own = tokens.find((token) => token.kind === 'option' && token.name === 'sign-in');
  if (own?.kind !== 'option') return { ...parseDemoArguments(values), signIn: undefined };
  if (own.value !== 'browser' && own.value !== 'print') throw new Error('--sign-in must be browser or print.');
  const rest = values.filter((_, index) => index !== own.index && (own.inlineValue || index !== own.index + 1));
  return { ...parseDemoArguments(rest), signIn: own.value };
}
