/** Runs a command in its own terminal, with util-linux's `script`; its output appears on standard output. */
export function onTerminal(...command: string[]): string[] {
  return [
    'script',
    '--quiet',
    '--flush',
    '--return',
    '--command',
    // Commands show no animation in CI; here a user is at the terminal.
    ['env', '--unset=CI', ...command].map((word) => `'${word}'`).join(' '),
    '/dev/null',
  ];
}
