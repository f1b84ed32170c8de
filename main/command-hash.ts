import type { LocalCommand } from '../shared/local-command.ts';

/** Loaded for the first command: every list is read by what needs this, and few hold one. */
const crypto = () => process.getBuiltinModule('node:crypto');

/** SHA-256 over everything that decides what runs, and not who shares it or where it came from. */
export function commandHash({ from: _from, lifetime: _lifetime, ...command }: LocalCommand): string {
  const { command: typed, path, arguments: words, folder = null, variables, sealed } = command;
  const text = JSON.stringify([
    'postern-command-1',
    typed,
    path,
    words,
    folder,
    variables,
    ...(sealed ? [sealed] : []),
  ]);
  return crypto().createHash('sha256').update(text).digest('hex');
}
