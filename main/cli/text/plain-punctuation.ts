/** What our sentences, tables and steps use beside ASCII. Letters of names and of what servers say are left alone. */
const replacements: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
  '…': '...',
  '–': '-',
  '—': '-',
  '→': '->',
  '·': '-',
  '✓': 'ok',
  '✗': 'no',
  '\u00a0': ' ',
};

/** For a terminal of a locale without Unicode. */
export function plainPunctuation(text: string): string {
  return text.replace(/[“”‘’…–—→·✓✗\u00a0]/gu, (character) => replacements[character] ?? character);
}

/**
 * Whether the locale says that a terminal shows no Unicode (POSIX 8.2: the first of these that is set and not empty
 * counts). Without any there is nothing to go by: macOS, Windows and many containers set none and show it all.
 */
export function isAsciiLocale(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  return locale !== undefined && locale !== '' && !/utf-?8/iu.test(locale);
}
