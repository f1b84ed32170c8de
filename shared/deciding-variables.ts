/** What a loader, an interpreter or a package manager takes code from, or a list of places for it. */
const names: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USERPROFILE',
  'APPDATA',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
  'OPENSSL_ENGINES',
  'PYTHONUSERBASE',
  'PYTHONPLATLIBDIR',
  'PYTHONBREAKPOINT',
  'NODE_OPTIONS',
  'NODE_PATH',
  'LD_PRELOAD',
  'LD_AUDIT',
  'LD_LIBRARY_PATH',
  'PYTHONSTARTUP',
  'PYTHONPATH',
  'PYTHONHOME',
  'PYTHONINSPECT',
  'PERL5OPT',
  'PERL5LIB',
  'RUBYOPT',
  'RUBYLIB',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
  'JDK_JAVA_OPTIONS',
  'CLASSPATH',
  'DOTNET_STARTUP_HOOKS',
  'BASH_ENV',
  'ENV',
  'SHELL',
  'COMSPEC',
  'GIT_SSH_COMMAND',
  'DOCKER_HOST',
  'BUN_OPTIONS',
  'DENO_DIR',
]);
const groups = /^(?:DYLD|NPM_CONFIG|PIP|UV|BUN_CONFIG|COREPACK|BASH_FUNC)_/u;

/** A variable of a command as whoever allows it sees it. */
export interface ShownVariable {
  readonly name: string;
  /** Without what looks like a secret. */
  readonly value: string;
  /** It can decide which code runs. */
  readonly decides: boolean;
}

/** Whether a variable of this name can decide which code runs. */
export function decidesCode(name: string): boolean {
  const known = name.toUpperCase();
  return names.has(known) || groups.test(known);
}
