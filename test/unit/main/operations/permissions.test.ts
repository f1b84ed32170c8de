import { expect, it } from 'vitest';
import { pinsAfterListing } from '../../../../main/engine/records/tool-pins.ts';
import { fingerprintTool } from '../../../../main/mcp/client/tool-fingerprint.ts';
import { toolChanges } from '../../../../main/operations/permissions.ts';
import { changeBounds } from '../../../../shared/approval-view.ts';

const inputSchema = { type: 'object', properties: { id: { type: 'string', description: 'Which note' } } };
const before = {
  name: 'write',
  description: 'Writes the note that you name.',
  inputSchema,
  annotations: { readOnlyHint: true },
};

function changesTo(...tools: { name: string; [member: string]: unknown }[]) {
  const listing = (all: typeof tools) => ({ seen: all.map((tool) => fingerprintTool(tool)), isLast: true });
  return toolChanges(pinsAfterListing(pinsAfterListing(undefined, listing([before]), 1), listing(tools), 2));
}

/** As text, with removed words in `[-…-]` and new words in `{+…+}`. */
const render = (words: readonly { kind: string; text: string }[] = []) =>
  words.map(({ kind, text }) => (kind === 'same' ? text : kind === 'gone' ? `[-${text}-]` : `{+${text}+}`)).join('');

it('shows changed words in place, even deep in a schema', () => {
  const [change] = changesTo({
    ...before,
    description: 'Writes all notes that you name.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string', description: 'Which notes' }, sure: { type: 'boolean' } },
    },
    annotations: { readOnlyHint: false, destructiveHint: true },
  });
  const places = Object.fromEntries((change?.places ?? []).map(({ where, words }) => [where.join('.'), render(words)]));
  expect(places).toEqual({
    description: 'Writes [-the-]{+all+} [-note-]{+notes+} that you name.',
    'inputSchema.properties.id.description': 'Which [-note-]{+notes+}',
    'inputSchema.properties.sure.type': '{+boolean+}',
    'annotations.readOnlyHint': '[-true-]{+false+}',
    'annotations.destructiveHint': '{+true+}',
  });
  expect(change).toMatchObject({ tool: 'write', kind: 'changed', isCut: false });
});

it('shows a new tool entirely as new', () => {
  const [change] = changesTo(before, { name: 'delete', description: 'Deletes' });
  expect(change?.kind).toBe('new');
  expect(change?.places.map(({ words }) => render(words))).toEqual(['{+Deletes+}']);
});

it('escapes invisible characters in texts, names and places', () => {
  const [change] = changesTo({
    ...before,
    description: 'Writes the note that you name.\u200b',
    inputSchema: { 'a\u202eb': 1 },
  });
  const text = JSON.stringify(change);
  expect(text).not.toMatch(/[\u200b\u202e]/u);
  expect(render(change?.places.find(({ where }) => where[0] === 'description')?.words)).toContain('\\u{200b}');
});

it('PM-14 shows where megabytes differ, and that the changes are cut', () => {
  const long = 'same '.repeat(2_000);
  const [change] = changesTo({ ...before, description: `${before.description}${long}` }, before);
  expect(change?.isCut).toBe(true);
  const [whole] = changesTo({ ...before, description: 'x'.repeat(3_000_000) });
  expect(JSON.stringify(whole).length).toBeLessThan(20_000);
  const properties = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, true]));
  const [wide] = changesTo({ ...before, inputSchema: { type: 'object', properties } });
  expect(wide?.places).toHaveLength(changeBounds.places);
  expect(wide?.isCut).toBe(true);
});
