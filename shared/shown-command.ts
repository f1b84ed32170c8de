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
  'GCONV_PATH',
  'SSH_ASKPASS',
  'SUDO_ASKPASS',
  'EDITOR',
  'VISUAL',
  'PAGER',
  'BROWSER',
  'JAVA_HOME',
  'CARGO_HOME',
  'RUSTC_WRAPPER',
  'GEM_HOME',
  'GEM_PATH',
  'BUNDLE_GEMFILE',
  'PHPRC',
  'PHP_INI_SCAN_DIR',
  'LUA_PATH',
  'LUA_CPATH',
  'PSMODULEPATH',
  'DOTNET_ROOT',
  'XDG_CONFIG_DIRS',
  'XDG_DATA_DIRS',
  'PYTHONEXECUTABLE',
  'PYTHONPYCACHEPREFIX',
  'PYTHONUSERBASE',
  'PYTHONPLATLIBDIR',
  'PYTHONBREAKPOINT',
  'NODE_OPTIONS',
  'NODE_PATH',
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
  'DOCKER_HOST',
  'BUN_OPTIONS',
  'DENO_DIR',
]);
const groups =
  /^(?:(?:DYLD|LD|NPM_CONFIG|PIP|UV|BUN_CONFIG|COREPACK|BASH_FUNC|GIT_CONFIG)_|GIT_(?:ASKPASS|EXEC_PATH|SSH|PAGER|EDITOR|EXTERNAL_DIFF|PROXY_COMMAND|TEMPLATE_DIR))/u;

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
