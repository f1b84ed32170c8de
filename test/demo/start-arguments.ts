import { parseArgs } from 'node:util';
import { parseDemoArguments } from './demo-arguments.ts';
import type { DemoArguments } from './demo-arguments.ts';

export interface StartArguments extends DemoArguments {
  readonly signIn: 'browser' | 'print' | undefined;
}

export const startHelp = `Shows what Postern does, on a practice server on this computer.

  npm start                        you sign in, on the practice server's own page
  npm start -- --approve           a scripted browser signs in as the demo user

  --sign-in browser|print          open the sign-in page, or print its link
  --typed                          the server wants a client id and secret
  --no-auth                        the server asks nobody to sign in
  --mcp-port N, --auth-port N      ports of the practice servers   (7301, 7302)
`;

/** Throws an Error with one plain sentence for anything that it does not know. */
export function parseStartArguments(values: readonly string[]): StartArguments {
  const { tokens } = parseArgs({
    args: [...values],
    options: { 'sign-in': { type: 'string' } },
    strict: false,
    tokens: true,
  });
  const own = tokens.find((token) => token.kind === 'option' && token.name === 'sign-in');
  if (own?.kind !== 'option') return { ...parseDemoArguments(values), signIn: undefined };
  if (own.value !== 'browser' && own.value !== 'print') throw new Error('--sign-in is browser or print.');
  const rest = values.filter((_, index) => index !== own.index && (own.inlineValue || index !== own.index + 1));
  return { ...parseDemoArguments(rest), signIn: own.value };
}
