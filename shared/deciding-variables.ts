/** What a loader, an interpreter or a package manager takes code from, or a list of places for it. */
const names: ReadonlySet<string> = new Set([
  'PATH',
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
const groups = /^(?:DYLD|NPM_CONFIG|PIP|UV|BUN_CONFIG)_/u;

export interface DecidingVariable {
  readonly name: string;
  readonly value: string;
}

/** Variables of a command that can decide which code runs, so that whoever allows it has to see their values. */
export function decidingVariables(values: Readonly<Record<string, string>>): readonly DecidingVariable[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const known = name.toUpperCase();
    return names.has(known) || groups.test(known) ? [{ name, value }] : [];
  });
}
