import { describe, expect, it } from 'vitest';
import {
  isUnreviewed,
  isWorthReporting,
  emptyPins,
  pinBounds,
  pinsAfterReview,
  pinsAfterListing,
  readKnownTools,
} from '../../../../../main/engine/records/tool-pins.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createMemoryPins } from '../../../../support/memory-pins.ts';

const tool = (name: string, form = 'first') => ({ name, form, text: `{"name":"${name}","description":"${form}"}` });
const listed = (...seen: ReturnType<typeof tool>[]) => ({ seen, isLast: true });
const later = pinBounds.minInterval + 1;

it('pins the first listing, page by page, and treats later tools as new', () => {
  const first = pinsAfterListing(undefined, { seen: [tool('a')], isLast: false }, 1);
  const second = pinsAfterListing(first, { seen: [tool('b')], isLast: true }, 2);
  expect(second.changed).toEqual([]);
  const third = pinsAfterListing(second, listed(tool('a'), tool('b'), tool('c')), 3);
  expect(third.changed.map(({ name }) => name)).toEqual(['c']);
  expect(['a', 'b', 'c'].map((name) => isUnreviewed(third, tool(name)))).toEqual([false, false, true]);
});

it('PM-11 holds back a changed tool until exactly that change is reviewed', () => {
  const before = pinsAfterListing(undefined, listed(tool('a')), 1);
  const changed = pinsAfterListing(before, listed(tool('a', 'second')), 2);
  expect(isUnreviewed(changed, tool('a', 'second'))).toBe(true);
  const other = pinsAfterReview(changed, [tool('a', 'third')]);
  expect(isUnreviewed(other, tool('a', 'second'))).toBe(true);
  expect(other.changed).toHaveLength(1);
  const accepted = pinsAfterReview(changed, [tool('a', 'second')]);
  expect(accepted.changed).toEqual([]);
  expect(isUnreviewed(accepted, tool('a', 'second'))).toBe(false);
  // The server may report different forms to different apps.
  expect(pinsAfterListing(accepted, listed(tool('a')), 3)).toBe(accepted);
});

it('PM-12 treats a tool that returns as new once its removal was reviewed', () => {
  const before = pinsAfterListing(undefined, listed(tool('a'), tool('b')), 1);
  expect(pinsAfterListing(before, listed(tool('a')), 2)).toBe(before);
  const known = pinsAfterReview(before, [], ['b']);
  expect(isUnreviewed(known, tool('b'))).toBe(true);
});

it('PM-12 treats two tools with one name as two forms, and any other form as a change', () => {
  const before = pinsAfterListing(undefined, listed(tool('a'), tool('a', 'twin')), 1);
  expect(before.changed).toEqual([]);
  expect(pinsAfterListing(before, listed(tool('a', 'twin'), tool('a')), 2)).toBe(before);
  const changed = pinsAfterListing(before, listed(tool('a'), tool('a', 'third')), 3);
  expect(isUnreviewed(changed, tool('a', 'third'))).toBe(true);
});

it('PM-14 records a constantly changing tool once a minute, and stops reporting it', () => {
  let pins = pinsAfterListing(undefined, listed(tool('a', '0')), 0);
  pins = pinsAfterListing(pins, listed(tool('a', '1')), 1);
  expect(pinsAfterListing(pins, listed(tool('a', '2')), 2)).toBe(pins);
  expect(pinsAfterListing(pins, listed(tool('a', '2')), later)).not.toBe(pins);
  for (let round = 1; round <= pinBounds.forms; round += 1) {
    expect(isWorthReporting(pins)).toBe(round < pinBounds.forms);
    pins = pinsAfterReview(pins, pins.changed);
    pins = pinsAfterListing(pins, listed(tool('a', `again ${round}`)), round * later);
  }
  expect(pins.tools[0]?.forms).toHaveLength(pinBounds.forms);
});

it('PM-14 limits the stored tools and their text', () => {
  const many = Array.from({ length: pinBounds.tools + 10 }, (_, index) => ({
    ...tool(`t${index}`),
    text: 'x'.repeat(1_000),
  }));
  const pins = pinsAfterListing(undefined, listed(...many), 1);
  expect(pins.tools).toHaveLength(pinBounds.tools);
  const size = pins.tools.reduce((sum, { text = '' }) => sum + text.length, 0);
  expect(size).toBeLessThanOrEqual(pinBounds.texts);
  expect(isUnreviewed(pins, many.at(-1) ?? tool(''))).toBe(true);
});

it('treats every tool as new if the pins cannot be read', () => {
  expect(isUnreviewed(emptyPins, tool('a'))).toBe(true);
  expect(pinsAfterListing(emptyPins, listed(tool('a')), 1).changed).toHaveLength(1);
});

describe('the last known tools', () => {
  const known = async (pins: ReturnType<typeof pinsAfterListing>) => {
    const memory = createMemoryPins();
    await memory.change('a', () => pins);
    return await readKnownTools({ pins: memory }, anIntegration({ id: 'a' }));
  };

  it('are those of the newest list, with its time within the hour', async () => {
    const hour = pinBounds.timeInterval;
    const first = pinsAfterListing(undefined, listed(tool('a'), tool('b')), hour);
    expect(pinsAfterListing(first, listed(tool('a'), tool('b')), hour + 1)).toBe(first);
    const second = pinsAfterListing(first, listed(tool('a', 'second'), tool('b')), 2 * hour);
    expect(await known(pinsAfterReview(second, []))).toEqual({
      tools: [
        { name: 'a', description: 'second', inputSchema: { type: 'object' } },
        { name: 'b', description: 'first', inputSchema: { type: 'object' } },
      ],
      listedAt: 2 * hour,
    });
    expect(pinsAfterListing(second, { seen: [tool('b')], isLast: false }, 9 * hour)).toBe(second);
  });

  it('keep the valid parts of an unchecked description', async () => {
    const texts = [
      '{"title":7,"description":"Adds","inputSchema":[],"annotations":{"readOnlyHint":true,"title":1}}',
      '{',
      undefined,
    ];
    const seen = texts.map((text, index) => ({ name: `t${index}`, form: 'f', text }));
    const { tools } = await known(pinsAfterListing(undefined, { seen, isLast: true }, 1));
    expect(tools).toEqual([
      { name: 't0', description: 'Adds', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
      { name: 't1', inputSchema: { type: 'object' } },
      { name: 't2', inputSchema: { type: 'object' } },
    ]);
  });
});
