import { commandAt, commandsOnConnection, isShownInHelp, wordCount } from './command-spec.ts';
import type { CommandSpec, CommandTable, CompletionKind } from './command-spec.ts';
import { optionSpecs, ruleChoices } from './option-specs.ts';
import type { OptionSpec } from './option-specs.ts';

/**
 * Completions for the last of `words`, which may be empty, from the command table. `names`: names of the kind that
 * `expectedKind` returned.
 */
export function completeWords(
  table: CommandTable,
  words: readonly string[],
  names: readonly string[],
): readonly string[] {
  const { before, prefix, isAfterDashes } = parseTypedWords(table, words);
  const matches = (word: string): boolean =>
    word.startsWith(prefix) && (isAfterDashes || prefix.startsWith('-') || !word.startsWith('-'));
  return candidates(table, before, prefix, isAfterDashes, names).filter((candidate) => matches(candidate));
}

/** Whether the last of `words` can be a file, a folder or another program. */
export function expectsFile(table: CommandTable, words: readonly string[]): boolean {
  const { before, prefix, isAfterDashes } = parseTypedWords(table, words);
  const spec = specAt(table, before);
  if (spec === undefined || (prefix.startsWith('-') && !isAfterDashes)) return false;
  const pendingOption = isAfterDashes ? undefined : findOption(before.at(-1));
  if (pendingOption?.value !== undefined) return /FILE|DIR/u.test(pendingOption.value);
  const positional = positionalOf(table, spec, before) ?? '';
  if (positional === '[VALUE]') return positionalWords(table, before).at(-1)?.endsWith('File') === true;
  return /FILE/u.test(positional) || (positional === 'COMMAND…' && spec.runsCommand !== true);
}

/** What kind of name the last of `words` is. */
export function expectedKind(table: CommandTable, words: readonly string[]): CompletionKind | undefined {
  const { before, prefix, isAfterDashes, isInner } = parseTypedWords(table, words);
  const spec = specAt(table, before);
  if (spec === undefined || (prefix.startsWith('-') && !isAfterDashes)) return undefined;
  const pendingOption = isAfterDashes ? undefined : findOption(before.at(-1));
  if (pendingOption?.value !== undefined) return pendingOption.value === 'APP' ? 'app' : undefined;
  // Inside `with`, there is no connection yet.
  return isInner ? undefined : kindOf(spec, positionalOf(table, spec, before));
}

function specAt(table: CommandTable, words: readonly string[]): CommandSpec | undefined {
  const command = commandAt(table, words);
  return command && table.specs[command];
}

interface TypedWords {
  readonly before: readonly string[];
  readonly prefix: string;
  /** After `--`, nothing is an option. */
  readonly isAfterDashes: boolean;
  /** The command inside `with`, which has no ID. */
  readonly isInner: boolean;
}

function parseTypedWords(table: CommandTable, words: readonly string[]): TypedWords {
  const before = words.slice(0, -1);
  const prefix = words.at(-1) ?? '';
  const at = before.indexOf('--');
  if (at !== -1 && specAt(table, before)?.runsCommand === true) {
    const [url, ...rest] = [...positionalWords(table, before.slice(0, at)), ...before.slice(at + 1)];
    const [word, ...more] = rest[0] === '--' ? rest.slice(1) : rest;
    if (url !== undefined && word !== undefined)
      return { before: [word, 'ID', ...more], prefix, isAfterDashes: more.includes('--'), isInner: true };
  }
  return { before, prefix, isAfterDashes: at !== -1, isInner: false };
}

function candidates(
  table: CommandTable,
  before: readonly string[],
  prefix: string,
  isAfterDashes: boolean,
  names: readonly string[],
): readonly string[] {
  const firstWords = (): readonly string[] => [...commandWordsAfter(table, ''), ...Object.keys(table.aliases)];
  if (before.length === 0) return [...firstWords(), '--help', '--version'];
  if (before.length === 1 && before[0] === 'help') return firstWords();
  const [first, ...rest] = before[0] === 'help' ? before.slice(1) : before;
  if (first !== undefined && table.firstWords.includes(first) && rest.length === 0)
    return commandWordsAfter(table, `${first} `);
  const spec = specAt(table, before);
  if (spec === undefined) return [];
  const pendingOption = isAfterDashes ? undefined : findOption(before.at(-1));
  if (pendingOption?.value !== undefined) return pendingOption.choices ?? (pendingOption.value === 'APP' ? names : []);
  const inlineOption = isAfterDashes ? undefined : /^--[\w-]+(?==)/u.exec(prefix)?.[0];
  if (inlineOption !== undefined)
    return findOption(inlineOption)?.choices?.map((choice) => `${inlineOption}=${choice}`) ?? [];
  if (prefix.startsWith('-') && !isAfterDashes) return spec.options.map((name) => `--${name}`);
  const positional = positionalOf(table, spec, before);
  if (positional === 'SHELL') return shells;
  if (positional === '[RULE]') return ruleChoices;
  if (spec.runsCommand === true && positional === 'COMMAND…') return commandsOnConnection(table);
  return kindOf(spec, positional) ? names : [];
}

/** The next word of each listed command that starts with `start`. */
function commandWordsAfter({ names, specs }: CommandTable, start: string): readonly string[] {
  const listed = names.filter((name) => name.startsWith(start) && isShownInHelp(specs[name]));
  return [...new Set(listed.map((name) => name.slice(start.length).replace(/ .*/u, '')))];
}

/** Words that are neither the command nor options or their values. */
export function positionalWords(table: CommandTable, words: readonly string[]): readonly string[] {
  const at = words.indexOf('--');
  const ownWords = at === -1 ? words : words.slice(0, at);
  const isValue = (index: number): boolean => findOption(ownWords[index - 1])?.value !== undefined;
  const command = commandAt(table, ownWords);
  const start = command === undefined ? 1 : wordCount(command);
  const typed = ownWords.slice(start).filter((word, index) => !word.startsWith('-') && !isValue(index + start));
  return at === -1 ? typed : [...typed, ...words.slice(at + 1)];
}

function findOption(word: string | undefined): OptionSpec | undefined {
  return Object.values<OptionSpec>(optionSpecs).find(({ name }) => word === `--${name}`);
}

/** The positional that comes next, by its name in help. A last one with `…` repeats. */
function positionalOf(
  table: CommandTable,
  { positionals }: CommandSpec,
  before: readonly string[],
): string | undefined {
  const typed = positionalWords(table, before);
  const last = positionals.at(-1);
  return positionals[typed.length] ?? (last?.includes('…') ? last : undefined);
}

/** Kinds by the positional's name in help. A command's `completionKinds` override them. */
const defaultKinds: Readonly<Record<string, CompletionKind>> = {
  ID: 'server',
  TOOL: 'capability',
  URI: 'capability',
  ARGUMENT: 'capability',
  'KEY=VALUE': 'capability',
  APP: 'app',
  'APP|FILE': 'app',
  VALUE: 'value',
};

function kindOf({ completionKinds }: CommandSpec, positional: string | undefined): CompletionKind | undefined {
  const name = positional?.replaceAll(/[[\]…]/gu, '') ?? '';
  return completionKinds?.[name] ?? defaultKinds[name];
}

export const shells = ['bash', 'zsh', 'fish'] as const;

/**
 * Each script calls `postern completion words` on every Tab press, so that completion uses the command table. Exit code
 * 1: neither a word nor a file fits.
 */
export const shellScripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `_postern() {
  local found word
  COMPREPLY=()
  found=$(postern completion line -- "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null) || compopt +o default 2>/dev/null
  while IFS= read -r word; do
    [[ -z "$word" ]] || COMPREPLY+=("$word")
  done <<< "$found"
  [[ "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace
}
complete -o default -F _postern postern`,
  zsh: `#compdef postern
_postern() {
  local text begun="\${(Q)PREFIX}"
  local -a found
  [[ "\${compstate[quote]}" = \\' ]] && begun="$PREFIX"
  text="$(postern completion words -- "\${(@Q)words[2,CURRENT-1]}" "$begun" 2>/dev/null)" || return 1
  found=("\${(@f)text}")
  if [[ "\${found[1]}" = *= ]]; then compadd -S '' -- "\${found[@]}"
  elif [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" = _postern ]]; then _postern "$@"; else compdef _postern postern; fi`,
  fish: `function __postern_complete
  set -l before (commandline -opc)
  set -l typed (commandline -ct)
  # A quote may still be open.
  set -l current (string unescape -- "$typed"; or string unescape -- "$typed\\""; or string unescape -- "$typed'")
  set -l found (postern completion words -- $before[2..-1] "$current" 2>/dev/null); or return
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c postern -f -a '(__postern_complete)'`,
};

/** A word of a bash command line. */
interface BashWord {
  /** Without quotes. `isPlain`: neither quoted nor escaped. */
  readonly characters: readonly { readonly character: string; readonly at: number; readonly isPlain: boolean }[];
  /** The quote that is still open at the end of the line. */
  readonly quote: string | undefined;
  /** Index after the last quote. */
  readonly quoteEnd: number;
}

interface BashLine {
  /** Words after the command, without quotes; the last may be empty. */
  readonly words: readonly string[];
  /** What bash should insert for the found words. */
  readonly replies: (found: readonly string[]) => readonly string[];
}

/**
 * Parses a bash line up to the cursor, where a quote may still be open. bash itself splits words at `breaks`
 * (COMP_WORDBREAKS: `ns:tool` becomes three), keeps their quotes, and replaces only the last piece.
 */
export function readBashLine(line: string, breaks: string): BashLine {
  const all = splitBashLine(line);
  const texts = all.map(({ characters }) => characters.map(({ character }) => character).join(''));
  // Skip variable assignments before the command.
  const command = Math.max(
    texts.findIndex((text) => !/^\w+=/u.test(text)),
    0,
  );
  const { characters = [], quote, quoteEnd = 0 } = all.at(-1) ?? {};
  const lastBreak = characters.findLast(({ character, isPlain }) => isPlain && breaks.includes(character))?.at ?? -1;
  const from = Math.max(lastBreak + 1, quoteEnd);
  const keptByBash = characters.filter(({ at }) => at < from).length;
  return {
    words: texts.slice(command + 1),
    replies: (found) => found.map((word) => quoteForBash([...word].slice(keptByBash).join(''), quote)),
  };
}

/** The words of the last command in the line. */
function splitBashLine(line: string): readonly BashWord[] {
  const words: BashWord[] = [];
  let characters: { character: string; at: number; isPlain: boolean }[] = [];
  let quote: string | undefined;
  let quoteEnd: number | undefined;
  let at = 0;
  const endWord = (): void => {
    const hasWord = characters.length > 0 || quoteEnd !== undefined || at === line.length;
    if (hasWord) words.push({ characters, quote, quoteEnd: quoteEnd ?? 0 });
    [characters, quoteEnd] = [[], undefined];
  };
  while (at < line.length) {
    const start = at;
    const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
    at += character.length;
    const isEscape =
      character === '\\' && (quote === undefined || (quote === '"' && '"\\$`'.includes(line[at] ?? ' ')));
    if (isEscape) {
      const escaped = String.fromCodePoint(line.codePointAt(at) ?? 0);
      // A backslash at the end of the line is incomplete.
      if (at < line.length) characters.push({ character: escaped, at: start, isPlain: false });
      at += escaped.length;
    } else if (character === quote || (quote === undefined && (character === '"' || character === "'"))) {
      quote = quote === undefined ? character : undefined;
      quoteEnd = at;
    } else if (quote !== undefined) characters.push({ character, at: start, isPlain: false });
    else if (/[\s;|&(]/u.test(character)) {
      at = start;
      endWord();
      at = start + 1;
      if (character.trim() !== '') words.length = 0;
    } else characters.push({ character, at: start, isPlain: true });
  }
  at = line.length;
  endWord();
  return words;
}

function quoteForBash(text: string, open: string | undefined): string {
  if (open === "'") return text.replaceAll("'", String.raw`'\''`);
  if (open === '"') return text.replaceAll(/["\\$`]/gu, String.raw`\$&`).replaceAll('!', String.raw`"\!"`);
  return text.replaceAll(/[^\w@%+=:,./\u{80}-\u{10FFFF}-]/gu, String.raw`\$&`);
}
