import path from 'node:path';
import { kindWords } from '../../../shared/error-catalog/call-errors.ts';
import { isObject } from '../../../shared/json-object.ts';
import { argumentFileBytes, toolInputDepth } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import type { UnfitArguments } from '../../operations/use.ts';
import { readPlainFile } from '../../plain-file.ts';
import { didYouMean, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import type { StdinLines } from '../terminal/terminal-input.ts';
import { printableLine } from '../text.ts';

interface ArgumentContext {
  readonly args: ParsedArguments;
  readonly stdin: StdinLines;
  readonly signal: AbortSignal;
  readonly currentFolder: string | undefined;
}

/**
 * The arguments of a tool: one JSON object (`-`: from standard input), or words such as `key=value`, `key:=json`,
 * `key=@file` and `key:=@file`, where `@-` is standard input. Errors: USAGE, with a message that quotes no values.
 */
export async function readArguments(
  words: readonly string[],
  context: ArgumentContext,
): Promise<Record<string, unknown>> {
  const [first = '{}', ...more] = words;
  if (more.length === 0 && (first === '-' || !isNamed(first))) {
    return asObject(parseJson(first === '-' ? await context.stdin.readAll(context.signal) : first));
  }
  return await readNamed(words, context, { mayBeJson: true });
}

/** The same for a prompt, whose arguments are strings (MCP 2025-11-25, prompts/get). Errors: USAGE. */
export async function readTextArguments(
  words: readonly string[],
  context: ArgumentContext,
): Promise<Record<string, string>> {
  return (await readNamed(words, context, { mayBeJson: false })) as Record<string, string>;
}

async function readNamed(
  words: readonly string[],
  context: ArgumentContext,
  { mayBeJson }: { readonly mayBeJson: boolean },
): Promise<Record<string, unknown>> {
  const values = new Map<string, unknown>();
  const stdinWords = words.filter((word) => /^[^=]+=@-$/su.test(word));
  if (stdinWords.length > 1)
    throw usageError(context, 'Standard input can be read only once. Use @- for one argument.');
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) {
      const forms = mayBeJson
        ? 'name=text, name:=json or name=@file, or all arguments as one JSON object'
        : 'name=text or name=@file';
      throw usageError(context, `Give arguments as ${forms}.`);
    }
    const isJson = mayBeJson && word[at - 1] === ':';
    const name = word.slice(0, isJson ? at - 1 : at);
    if (name === '' || values.has(name))
      throw usageError(
        context,
        name === '' ? 'An argument has no name.' : `The argument “${printableLine(name, 60)}” was given twice.`,
      );
    const text = await readArgument(word.slice(at + 1), name, context);
    values.set(name, isJson ? parseJson(text, name) : text);
  }
  // From a Map, so that names such as `__proto__` are ordinary keys.
  return Object.fromEntries(values);
}

/** True if a word is `name=…` rather than JSON. */
function isNamed(word: string): boolean {
  return /^[^={["'\s][^=]*=/su.test(word);
}

async function readArgument(value: string, name: string, context: ArgumentContext): Promise<string> {
  if (!value.startsWith('@')) return value;
  if (value === '@-') return await context.stdin.readAll(context.signal);
  const fileLabel = `“${printableLine(value.slice(1), 200)}”`;
  let bytes: Buffer | undefined;
  try {
    bytes = await readPlainFile(path.resolve(context.currentFolder ?? '', value.slice(1)), {
      limit: argumentFileBytes,
      follow: true,
    });
  } catch {
    throw usageError(
      context,
      `The file ${fileLabel} cannot be read. For text that starts with @, write ${printableLine(name, 60)}:='"@…"'.`,
    );
  }
  if (!bytes) throw usageError(context, `The file ${fileLabel} is larger than ${argumentFileBytes} bytes.`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageError(context, `The file ${fileLabel} is not UTF-8 text.`);
  }
}

function parseJson(text: string, name?: string): unknown {
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    const what = name === undefined ? 'The arguments are' : `The value after “${printableLine(name, 60)}:=” is`;
    throw new UsageError(
      `${what} not valid JSON. Put the JSON in single quotes, and its names in double quotes.`,
      'call',
    );
  }
  if (!isDeeperThan(value, toolInputDepth)) return value;
  throw new UsageError(`The arguments are nested more than ${toolInputDepth} levels deep.`, 'call');
}

function asObject(input: unknown): Record<string, unknown> {
  if (isObject(input)) return { ...input };
  throw new UsageError(`Give arguments as words such as text=Hello, or as one JSON object.`, 'call');
}

/** Whether a JSON value nests deeper than `levels`. Not recursive, because a deep value would overflow the stack. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level = containers([value]);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true;
    level = containers(level.flatMap((container): unknown[] => Object.values(container)));
  }
  return false;
}

function containers(values: readonly unknown[]): readonly object[] {
  return values.filter((value): value is object => typeof value === 'object' && value !== null);
}

function usageError({ args }: ArgumentContext, problem: string): UsageError {
  return new UsageError(problem, args.command);
}

/** Names listed in one sentence. */
const maxNames = 10;

/** A usage error for arguments that do not fit the tool, with the right way to write them. */
export function toArgumentsError({ unknown, known, mistyped }: UnfitArguments): UsageError {
  const label = (name: string): string => printableLine(name, 60);
  if (mistyped)
    return new UsageError(
      `“${label(mistyped.name)}” must be ${kindWords[mistyped.kind]}. Write ${label(mistyped.name)}:=JSON. Nothing was sent.`,
      'call',
    );
  const names = unknown
    .slice(0, maxNames)
    .map((name) => `“${label(name)}”`)
    .join(', ');
  const suggestion = unknown.length === 1 ? didYouMean(unknown[0] ?? '', known) : '';
  const fields = known.slice(0, maxNames).map(label).join(', ') || 'nothing';
  return new UsageError(
    `The tool has no argument ${names}.${suggestion || ` It takes ${fields}.`} Nothing was sent. To send it anyway, use --any-field.`,
    'call',
  );
}
