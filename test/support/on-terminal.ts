/** util-linux's script gives a command a terminal of its own; its output comes back on standard output. */
export function onTerminal(...command: string[]): string[] {
  return [
    'script',
    '--quiet',
    '--flush',
    '--return',
    '--command',
    // Commands draw no moving lines in CI; here a person sits at the terminal.
    ['env', '--unset=CI', ...command].map((word) => `'${word}'`).join(' '),
    '/dev/null',
  ];
}
