import { commandAt, commandsOnConnection, isForPeople, lengthOf } from './command-spec.ts';
import type { CommandSpec, CommandTable, KnownNames } from './command-spec.ts';
import { optionSpecs, ruleChoices } from './option-specs.ts';
import type { OptionSpec } from './option-specs.ts';

/**
 * What may stand in the place of the last of `words`, which may be empty, by the table that help is made from. `names`:
 * those that `awaitedWord` asks for.
 */
export function completeWords(
  table: CommandTable,
  words: readonly string[],
  names: readonly string[],
): readonly string[] {
  const { before, begun, behindDashes } = readTyped(table, words);
  const fits = (word: string): boolean =>
    word.startsWith(begun) && (behindDashes || begun.startsWith('-') || !word.startsWith('-'));
  return candidates(table, before, begun, behindDashes, names).filter((candidate) => fits(candidate));
}

/** Whether the last of `words` may be a file or a folder, or another program. */
export function awaitsFile(table: CommandTable, words: readonly string[]): boolean {
  const { before, begun, behindDashes } = readTyped(table, words);
  const spec = specAt(table, before);
  if (spec === undefined || (begun.startsWith('-') && !behindDashes)) return false;
  const awaited = behindDashes ? undefined : optionOf(before.at(-1));
  if (awaited?.value !== undefined) return /FILE|DIR/u.test(awaited.value);
  const positional = positionalOf(table, spec, before) ?? '';
  if (positional === '[VALUE]') return positionalWords(table, before).at(-1)?.endsWith('File') === true;
  return /FILE/u.test(positional) || (positional === 'COMMAND…' && spec.runsCommand !== true);
}

/** Which names the last of `words` may be one of. */
export function awaitedWord(table: CommandTable, words: readonly string[]): KnownNames | undefined {
  const { before, begun, behindDashes, isInner } = readTyped(table, words);
  const spec = specAt(table, before);
  if (spec === undefined || (begun.startsWith('-') && !behindDashes)) return undefined;
  const awaited = behindDashes ? undefined : optionOf(before.at(-1));
  if (awaited?.value !== undefined) return awaited.value === 'PROGRAM' ? 'program' : undefined;
  // Of a connection that is not there yet.
  return isInner ? undefined : namesOf(spec, positionalOf(table, spec, before));
}

function specAt(table: CommandTable, words: readonly string[]): CommandSpec | undefined {
  const command = commandAt(table, words);
  return command && table.specs[command];
}

interface Typed {
  readonly before: readonly string[];
  readonly begun: string;
  /** After `--` nothing is an option. */
  readonly behindDashes: boolean;
  /** The command that runs after `with`, with a word in the place of its ID. */
  readonly isInner: boolean;
}

function readTyped(table: CommandTable, words: readonly string[]): Typed {
  const before = words.slice(0, -1);
  const begun = words.at(-1) ?? '';
  const at = before.indexOf('--');
  if (at !== -1 && specAt(table, before)?.runsCommand === true) {
    const [url, ...rest] = [...positionalWords(table, before.slice(0, at)), ...before.slice(at + 1)];
    const [word, ...more] = rest[0] === '--' ? rest.slice(1) : rest;
    if (url !== undefined && word !== undefined)
      return { before: [word, 'ID', ...more], begun, behindDashes: more.includes('--'), isInner: true };
  }
  return { before, begun, behindDashes: at !== -1, isInner: false };
}

function candidates(
  table: CommandTable,
  before: readonly string[],
  begun: string,
  behindDashes: boolean,
  names: readonly string[],
): readonly string[] {
  const firstWords = (): readonly string[] => [...commandWordsAfter(table, ''), ...Object.keys(table.shortNames)];
  if (before.length === 0) return [...firstWords(), '--help', '--version'];
  if (before.length === 1 && before[0] === 'help') return firstWords();
  const [first, ...rest] = before[0] === 'help' ? before.slice(1) : before;
  if (first !== undefined && table.firstWords.includes(first) && rest.length === 0)
    return commandWordsAfter(table, `${first} `);
  const spec = specAt(table, before);
  if (spec === undefined) return [];
  const awaited = behindDashes ? undefined : optionOf(before.at(-1));
  if (awaited?.value !== undefined) return awaited.choices ?? (awaited.value === 'PROGRAM' ? names : []);
  const joined = behindDashes ? undefined : /^--[\w-]+(?==)/u.exec(begun)?.[0];
  if (joined !== undefined) return optionOf(joined)?.choices?.map((choice) => `${joined}=${choice}`) ?? [];
  if (begun.startsWith('-') && !behindDashes) return spec.options.map((name) => `--${name}`);
  const positional = positionalOf(table, spec, before);
  if (positional === 'SHELL') return shells;
  if (positional === '[RULE]') return ruleChoices;
  if (spec.runsCommand === true && positional === 'COMMAND…') return commandsOnConnection(table);
  return namesOf(spec, positional) ? names : [];
}

/** The next words of commands that begin so; those for machines are left out. */
function commandWordsAfter({ names, specs }: CommandTable, start: string): readonly string[] {
  const shown = names.filter((name) => name.startsWith(start) && isForPeople(specs[name]));
  return [...new Set(shown.map((name) => name.slice(start.length).replace(/ .*/u, '')))];
}

/** The words that are no options and no values of them, without the command. */
export function positionalWords(table: CommandTable, words: readonly string[]): readonly string[] {
  const at = words.indexOf('--');
  const ours = at === -1 ? words : words.slice(0, at);
  const isValue = (index: number): boolean => optionOf(ours[index - 1])?.value !== undefined;
  const named = commandAt(table, ours);
  const start = named === undefined ? 1 : lengthOf(named);
  const typed = ours.slice(start).filter((word, index) => !word.startsWith('-') && !isValue(index + start));
  return at === -1 ? typed : [...typed, ...words.slice(at + 1)];
}

function optionOf(word: string | undefined): OptionSpec | undefined {
  return Object.values<OptionSpec>(optionSpecs).find(({ name }) => word === `--${name}`);
}

/** The name in help of the word that comes next; the last one with `…` stands for all that follow. */
function positionalOf(
  table: CommandTable,
  { positionals }: CommandSpec,
  before: readonly string[],
): string | undefined {
  const given = positionalWords(table, before);
  const last = positionals.at(-1);
  return positionals[given.length] ?? (last?.includes('…') ? last : undefined);
}

/** What a positional is the name of: as the command says, else by what it is called in help. */
const usualNames: Readonly<Record<string, KnownNames>> = {
  ID: 'server',
  TOOL: 'offer',
  URI: 'offer',
  ARGUMENT: 'offer',
  'KEY=VALUE': 'offer',
  PROGRAM: 'program',
  'PROGRAM|FILE': 'program',
  VALUE: 'value',
};

function namesOf({ completes }: CommandSpec, positional: string | undefined): KnownNames | undefined {
  const word = positional?.replaceAll(/[[\]…]/gu, '') ?? '';
  return completes?.[word] ?? usualNames[word];
}

export const shells = ['bash', 'zsh', 'fish'] as const;

/**
 * Each asks `postern completion words` at every press of the key, so that one table knows what there is. It ends with 1
 * where neither a word nor a file is meant.
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

/** A word as it stands in a line of bash. */
interface BashWord {
  /** Without their quotes. `isPlain`: neither quoted nor escaped. */
  readonly characters: readonly { readonly character: string; readonly at: number; readonly isPlain: boolean }[];
  /** The quote that is still open at the end of the line. */
  readonly quote: string | undefined;
  /** Behind the last quote. */
  readonly quoteEnd: number;
}

interface BashLine {
  /** What is typed after the command, without quotes; the last one may be empty. */
  readonly words: readonly string[];
  /** What bash is to insert for words that are found. */
  readonly replies: (found: readonly string[]) => readonly string[];
}

/**
 * A line of bash up to the cursor, where a quote may still be open. bash itself hands its words over in pieces (with
 * `breaks`, its COMP_WORDBREAKS, `ns:tool` is three) and with their quotes, and replaces the last piece alone.
 */
export function readBashLine(line: string, breaks: string): BashLine {
  const all = splitBashLine(line);
  const texts = all.map(({ characters }) => characters.map(({ character }) => character).join(''));
  // Variables may be set before the command.
  const command = Math.max(
    texts.findIndex((text) => !/^\w+=/u.test(text)),
    0,
  );
  const { characters = [], quote, quoteEnd = 0 } = all.at(-1) ?? {};
  const lastBreak = characters.findLast(({ character, isPlain }) => isPlain && breaks.includes(character))?.at ?? -1;
  const from = Math.max(lastBreak + 1, quoteEnd);
  const kept = characters.filter(({ at }) => at < from).length;
  return {
    words: texts.slice(command + 1),
    replies: (found) => found.map((word) => quoteForBash([...word].slice(kept).join(''), quote)),
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
    const isThere = characters.length > 0 || quoteEnd !== undefined || at === line.length;
    if (isThere) words.push({ characters, quote, quoteEnd: quoteEnd ?? 0 });
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
      // One at the end of the line says nothing yet.
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
