import { join } from 'node:path';

/** For the bundler: every `console` of the program is the one that says nothing. */
export const silencedConsole: Readonly<Record<string, [string, string]>> = {
  console: [join(import.meta.dirname, 'silent-console.ts'), 'silentConsole'],
};
