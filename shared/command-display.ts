/** Maximum words of a command, characters of each, and variables: what a user can still read. */
export const commandBounds = { words: 100, length: 4_096, variables: 50 } as const;

/** An environment variable's name: all that a system passes on (POSIX.1-2024 8.1), except control characters. */
export const variableName = /^[^=\p{Cc}]{1,128}$/u;

const packageRunners =
  /^(?:npx|pnpx|bunx|uvx|pipx|docker|podman|npm|pnpm|yarn|bun|deno|uv)(?:\.(?:cmd|exe|ps1|bat))?$/i;

/** Whether the command downloads and runs code, so that the code may differ each time. */
export function downloadsCode({ command }: { readonly command: string }): boolean {
  return packageRunners.test(command.split(/[/\\]/).at(-1) ?? '');
}

/** Variables from which a loader, an interpreter or a package manager takes code, or where it looks for it. */
const codeVariables: ReadonlySet<string> = new Set([
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
const codeVariablePrefixes =
  /^(?:(?:DYLD|LD|NPM_CONFIG|PIP|UV|BUN_CONFIG|COREPACK|BASH_FUNC|GIT_CONFIG)_|GIT_(?:ASKPASS|EXEC_PATH|SSH|PAGER|EDITOR|EXTERNAL_DIFF|PROXY_COMMAND|TEMPLATE_DIR))/u;

/** A variable of a command as the user sees it. */
export interface ShownVariable {
  readonly name: string;
  /** With secrets hidden. */
  readonly value: string;
  /** It can change which code runs. */
  readonly decides: boolean;
}

/** Whether this variable can change which code runs. */
export function canChangeCode(name: string): boolean {
  const known = name.toUpperCase();
  return codeVariables.has(known) || codeVariablePrefixes.test(known);
}

/** Invisible characters, and those that change text direction (Unicode TR 36), including blank letters. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f]/u;
const eachHidden = new RegExp(hidden.source, 'gu');

/**
 * A word of a command for the consent dialog, on one line and complete: an empty word, or one with invisible
 * characters, appears as in JSON.
 */
export function visibleWord(word: string): string {
  if (word !== '' && !hidden.test(word) && word === word.trim()) return word;
  return JSON.stringify(word).replaceAll(eachHidden, escapeUnits);
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
