import { join } from 'node:path';

/** For the bundler: replaces every `console` in Postern with one that prints nothing. */
export const silencedConsole: Readonly<Record<string, [string, string]>> = {
  console: [join(import.meta.dirname, 'silent-console.ts'), 'silentConsole'],
};
