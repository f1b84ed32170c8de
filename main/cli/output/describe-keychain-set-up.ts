import type { Remedy } from '../../../shared/remedy.ts';

type Missing = Extract<Remedy, { kind: 'set-up-keychain' }>['missing'];

export function describeKeychainSetUp(missing: Missing): string {
  return setUps[missing ?? 'nothing'];
}

/** By what is missing: of nothing, a keychain itself. */
const setUps = {
  module: mendLibrary('install', 'Install it with'),
  build: mendLibrary('rebuild', 'Run'),
  libsecret: 'Install it with the package manager of this computer (Debian, Ubuntu: libsecret-1-0)',
  nothing: 'Set up a keychain (on Linux gnome-keyring or KWallet; the README says how without a desktop)',
} as const;

function mendLibrary(what: 'install' | 'rebuild', verb: string): string {
  const command = npmCommand(what);
  return command === undefined ? 'Install Postern again' : `${verb} \`${command}\`, which says what it lacks`;
}

/**
 * npm's command for the place that this program is in: `install` or `rebuild`, for the keychain library. npm puts what
 * it installs into the folder of its own settings, where a program in another one (`--prefix`) does not find it.
 * `undefined`: of an installed window, whose package holds the library.
 */
export function npmCommand(what: 'install' | 'rebuild', folder = import.meta.dirname): string | undefined {
  if (/[\\/]app\.asar[\\/]/u.test(folder)) return undefined;
  const [, prefix] = /^(.+?)(?:[\\/]lib)?[\\/]node_modules[\\/]postern[\\/]/u.exec(folder) ?? [];
  if (prefix === undefined) return what === 'install' ? 'npm install' : 'npm rebuild keytar';
  const place = /[^\w@%+=:,./\\~-]/u.test(prefix) ? `"${prefix}"` : prefix;
  return `npm ${what} --global --prefix ${place} keytar`;
}
