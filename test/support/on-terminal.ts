/** util-linux's script gives a command a terminal of its own; its output comes back on standard output. */
export function onTerminal(...command: string[]): string[] {
  return [
    'script',
    '--quiet',
    '--flush',
    '--return',
    '--command',
    command.map((word) => `'${word}'`).join(' '),
    '/dev/null',
  ];
}
