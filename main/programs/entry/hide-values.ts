import { hiddenValue } from '../hidden-value.ts';
import { shownProgram } from '../../secret-words.ts';
import { withoutSecrets } from './describe-entry.ts';
import { readEntry, readPipeWords } from './read-entry.ts';

const addressKeys = ['url', 'serverUrl', 'httpUrl', 'uri'];
const commandKeys = ['command', 'cmd'];
const kindKeys = ['type', 'name', 'source', 'transport'];

/**
 * An entry with the keys that it has in its file. Of its values only what starts it and where it leads is shown; what
 * starts a pipe of Postern holds no secret, and is shown whole.
 */
export function hideValues(value: unknown): unknown {
  if (!isTable(value)) return hide(value);
  const isPipe = readPipeWords(readEntry(value)) !== undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (isPipe && (key === 'args' || commandKeys.includes(key))) return [key, inner];
      if (typeof inner === 'string' && addressKeys.includes(key)) return [key, withoutSecrets(inner)];
      if (commandKeys.includes(key)) return [key, hideArguments(inner)];
      return [key, typeof inner === 'string' && kindKeys.includes(key) ? inner : hide(inner)];
    }),
  );
}

/** Of a command all but the program that it starts. */
function hideArguments(command: unknown): unknown {
  if (typeof command === 'string') return shownProgram(command);
  if (!Array.isArray(command)) return hide(command);
  return command.map((word, index) => (index === 0 && typeof word === 'string' ? shownProgram(word) : hide(word)));
}

/** Its keys alone. */
function hide(value: unknown): unknown {
  if (typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value.map(hide);
  if (!isTable(value)) return hiddenValue;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hide(inner)]));
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** By each text and number of `value`, what of it is shown; nothing for one that is not. */
export function shownValues(value: unknown, shown: unknown): readonly (readonly [value: string, shown: string])[] {
  if (typeof value === 'string' || typeof value === 'number')
    return shown === hiddenValue ? [] : [[String(value), String(shown)]];
  if (typeof value !== 'object' || value === null || typeof shown !== 'object' || shown === null) return [];
  const members = shown as Readonly<Record<string, unknown>>;
  return Object.entries(value).flatMap(([key, inner]) => shownValues(inner, members[key]));
}
