import { diffWordsWithSpace } from 'diff';
import { changeBounds } from '../../../shared/approval-view.ts';
import type { ChangedPiece, ToolChange } from '../../../shared/approval-view.ts';
import { displayText, writeOutHidden } from '../../address/display-text.ts';
import type { ChangedTool, ToolPins } from '../../ports.ts';

/** Steps of the comparison of two texts, characters that are the same around what differs, and of names. */
const bounds = { steps: 1_000, around: 120, name: 160, depth: 32 } as const;

/** What has changed of a server's tools, as words that are gone and new. Hidden characters are written out. */
export function toolChanges({ tools, changed }: ToolPins): readonly ToolChange[] {
  const before = new Map(tools.map((tool) => [tool.name, tool]));
  return changed.slice(0, changeBounds.tools).map((tool) => {
    const pinned = before.get(tool.name);
    return { ...describe(tool, pinned ? (pinned.text ?? undefined) : '{}'), kind: pinned ? 'changed' : 'new' };
  });
}

/** `before`: `undefined`: it is not kept. */
function describe({ name, form, text, at }: ChangedTool, before: string | undefined): Omit<ToolChange, 'kind'> {
  const isKnown = text !== undefined && before !== undefined;
  const [old, now] = isKnown
    ? [placesOf(before), placesOf(text)]
    : [new Map<string, string>(), new Map<string, string>()];
  const differing = [...new Set([...now.keys(), ...old.keys()])].filter((place) => old.get(place) !== now.get(place));
  const shown = differing.filter((place) => place !== nameAlone);
  // What differs may be beyond what is kept of it.
  const cut = { is: !isKnown || differing.length === 0 || shown.length > changeBounds.places };
  const places = shown.slice(0, changeBounds.places).map((place) => ({
    where: (JSON.parse(place) as string[]).map((member) =>
      displayText(writeOutHidden(member.slice(0, bounds.name)), bounds.name),
    ),
    words: wordsOf(old.get(place) ?? '', now.get(place) ?? '', cut),
  }));
  return { tool: displayText(writeOutHidden(name), bounds.name), form, at, places, isCut: cut.is };
}

const nameAlone = '["name"]';

/** Every value in it by its place. What is said in one text is one place; no function here calls itself. */
function placesOf(text: string): Map<string, string> {
  const places = new Map<string, string>();
  const waiting: { value: unknown; where: readonly string[] }[] = [{ value: JSON.parse(text), where: [] }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, where } = next;
    const isTree = typeof value === 'object' && value !== null && !isPlainList(value) && where.length < bounds.depth;
    if (isTree)
      for (const [name, member] of Object.entries(value).toReversed())
        waiting.push({ value: member, where: [...where, name] });
    else places.set(JSON.stringify(where), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return places;
}

/** One of texts and numbers is read as a whole. */
function isPlainList(value: object): boolean {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
}

function wordsOf(before: string, now: string, cut: { is: boolean }): ChangedPiece[] {
  const [old, next, isCut] = around(before, now);
  cut.is ||= isCut;
  const [gone, come] = [writeOutHidden(old), writeOutHidden(next)];
  const found = diffWordsWithSpace(gone, come, { maxEditLength: bounds.steps });
  const pieces: ChangedPiece[] =
    found && found.length <= changeBounds.pieces
      ? found.map(({ value, added, removed }) => ({ kind: added ? 'new' : removed ? 'gone' : 'same', text: value }))
      : [
          { kind: 'gone', text: gone },
          { kind: 'new', text: come },
        ];
  return pieces.filter(({ text }) => text !== '');
}

/** Both from where they begin to differ, with a little before that; whether something is left out behind. */
function around(before: string, now: string): readonly [before: string, now: string, isCut: boolean] {
  let same = 0;
  while (same < before.length && before[same] === now[same]) same += 1;
  const from = Math.max(0, same - bounds.around);
  const [old, next] = [before, now].map((text) => (from > 0 ? '…' : '') + text.slice(from, from + changeBounds.text));
  const isCut = Math.max(before.length, now.length) - from > changeBounds.text;
  return [old ?? '', next ?? '', isCut];
}
