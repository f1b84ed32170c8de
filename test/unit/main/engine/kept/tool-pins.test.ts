import { expect, it } from 'vitest';
import {
  isUnseen,
  isWorthTelling,
  nothingPinned,
  pinBounds,
  pinsAccepted,
  pinsAfter,
} from '../../../../../main/engine/kept/tool-pins.ts';

const tool = (name: string, form = 'first') => ({ name, form, text: `{"name":"${name}","description":"${form}"}` });
const listed = (...seen: ReturnType<typeof tool>[]) => ({ seen, isLast: true });
const later = pinBounds.again + 1;

it('takes what comes first as it is, page by page, and what comes later as new', () => {
  const first = pinsAfter(undefined, { seen: [tool('a')], isLast: false }, 1);
  const second = pinsAfter(first, { seen: [tool('b')], isLast: true }, 2);
  expect(second.changed).toEqual([]);
  const third = pinsAfter(second, listed(tool('a'), tool('b'), tool('c')), 3);
  expect(third.changed.map(({ name }) => name)).toEqual(['c']);
  expect(['a', 'b', 'c'].map((name) => isUnseen(third, tool(name)))).toEqual([false, false, true]);
});

it('PM-11 holds another form until that very form was looked at', () => {
  const before = pinsAfter(undefined, listed(tool('a')), 1);
  const changed = pinsAfter(before, listed(tool('a', 'second')), 2);
  expect(isUnseen(changed, tool('a', 'second'))).toBe(true);
  const other = pinsAccepted(changed, [tool('a', 'third')]);
  expect(isUnseen(other, tool('a', 'second'))).toBe(true);
  expect(other.changed).toHaveLength(1);
  const accepted = pinsAccepted(changed, [tool('a', 'second')]);
  expect(accepted.changed).toEqual([]);
  expect(isUnseen(accepted, tool('a', 'second'))).toBe(false);
  // What one program is told and another is not.
  expect(pinsAfter(accepted, listed(tool('a')), 3)).toBe(accepted);
});

it('PM-12 takes a tool that has gone and comes back for a new one once that was looked at', () => {
  const before = pinsAfter(undefined, listed(tool('a'), tool('b')), 1);
  expect(pinsAfter(before, listed(tool('a')), 2)).toBe(before);
  const known = pinsAccepted(before, [], ['b']);
  expect(isUnseen(known, tool('b'))).toBe(true);
});

it('PM-12 takes two of one name for two forms, and each other one for a change', () => {
  const before = pinsAfter(undefined, listed(tool('a'), tool('a', 'twin')), 1);
  expect(before.changed).toEqual([]);
  expect(pinsAfter(before, listed(tool('a', 'twin'), tool('a')), 2)).toBe(before);
  const changed = pinsAfter(before, listed(tool('a'), tool('a', 'third')), 3);
  expect(isUnseen(changed, tool('a', 'third'))).toBe(true);
});

it('PM-14 notes one that is another each time once a minute, and stops telling of it', () => {
  let pins = pinsAfter(undefined, listed(tool('a', '0')), 0);
  pins = pinsAfter(pins, listed(tool('a', '1')), 1);
  expect(pinsAfter(pins, listed(tool('a', '2')), 2)).toBe(pins);
  expect(pinsAfter(pins, listed(tool('a', '2')), later)).not.toBe(pins);
  for (let look = 1; look <= pinBounds.forms; look += 1) {
    expect(isWorthTelling(pins)).toBe(look < pinBounds.forms);
    pins = pinsAccepted(pins, pins.changed);
    pins = pinsAfter(pins, listed(tool('a', `again ${look}`)), look * later);
  }
  expect(pins.tools[0]?.forms).toHaveLength(pinBounds.forms);
});

it('PM-14 remembers so many tools, and so much of what they say', () => {
  const many = Array.from({ length: pinBounds.tools + 10 }, (_, index) => ({
    ...tool(`t${index}`),
    text: 'x'.repeat(1_000),
  }));
  const pins = pinsAfter(undefined, listed(...many), 1);
  expect(pins.tools).toHaveLength(pinBounds.tools);
  const size = pins.tools.reduce((sum, { text = '' }) => sum + text.length, 0);
  expect(size).toBeLessThanOrEqual(pinBounds.texts);
  expect(isUnseen(pins, many.at(-1) ?? tool(''))).toBe(true);
});

it('takes every tool for a new one where nothing can be read', () => {
  expect(isUnseen(nothingPinned, tool('a'))).toBe(true);
  expect(pinsAfter(nothingPinned, listed(tool('a')), 1).changed).toHaveLength(1);
});
