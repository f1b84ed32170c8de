import { createHmac } from 'node:crypto';
import type { Random } from '../../ports.ts';
import { readContent } from '../list/edit-file.ts';
import { entryNamed } from '../list/entry-list.ts';
import type { PlannedChange } from '../plan/planned-change.ts';

/** Two changes have one seal where a person was shown the same. In hexadecimal; it tells nothing of either file. */
export type SealChange = (planned: PlannedChange) => string;

/** With a key of this process: an HMAC over path, what stands there, and what will. */
export function createSeal(random: Random): SealChange {
  const key = random.bytes(32);
  return (planned) =>
    createHmac('sha256', key)
      .update(JSON.stringify(factsOf(planned), asText))
      .digest('hex');
}

function factsOf({ program, file, way, edits, before, after, commands }: PlannedChange): readonly unknown[] {
  const facts = [program.id, file.path, file.project ?? null, way, edits];
  if (way === 'file') return [...facts, before ?? null, after ?? null];
  // The user may have pasted the lines since.
  if (way === 'paste') return facts;
  // A program that runs writes into its file all the time: only the entries in question have to be as they were.
  const content = readContent(program, file.path, before);
  return [...facts, edits.map(({ name }) => entryNamed(content, name) ?? null), commands];
}

/** TOML has whole numbers that JSON has not. */
function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
