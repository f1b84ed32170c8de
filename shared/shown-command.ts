/** Words of a command, names of variables, and characters of each: what a person could still read. */
export const commandBounds = { words: 100, length: 4_096, variables: 50 } as const;

/** The name of an environment variable: all that a system passes on (POSIX.1-2024 8.1), but for what cannot be shown. */
export const variableName = /^[^=\p{Cc}]{1,128}$/u;

const fetching = /^(?:npx|pnpx|bunx|uvx|pipx|docker|podman|npm|pnpm|yarn|bun|deno|uv)(?:\.(?:cmd|exe|ps1|bat))?$/i;

/** Whether the command is one that fetches code and runs it, so that what runs may be other code each time. */
export function fetchesCode({ command }: { readonly command: string }): boolean {
  return fetching.test(command.split(/[/\\]/).at(-1) ?? '');
}

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

/** What cannot be seen, or turns the direction of text (Unicode TR 36); letters that are blank are among them. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f]/u;
const eachHidden = new RegExp(hidden.source, 'gu');

/**
 * A word of a command for whoever is to agree to it, on one line and with nothing left out: one that is empty, or has
 * something in it that cannot be seen, stands as it would be written in JSON.
 */
export function visibleWord(word: string): string {
  if (word !== '' && !hidden.test(word) && word === word.trim()) return word;
  return JSON.stringify(word).replaceAll(eachHidden, escapeUnits);
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
