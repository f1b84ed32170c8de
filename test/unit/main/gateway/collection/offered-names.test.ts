import { expect, it } from 'vitest';
import {
  fitsTemplate,
  mergeHandshakes,
  readCursor,
  writeCursor,
} from '../../../../../main/gateway/collection/merged.ts';
import { offeredName, readOfferedName } from '../../../../../main/gateway/collection/offered-name.ts';

it('puts the alias before a name, and shortens what is too long to 50 characters of which the last say what it was', () => {
  expect(offeredName('notes', 'add')).toBe('notes_add');
  const fits = 'x'.repeat(44);
  expect(offeredName('notes', fits)).toBe(`notes_${fits}`);
  const short = offeredName('notes', `${fits}x`);
  expect(short).toMatch(/^notes_x{37}_[0-9a-f]{6}$/u);
  expect(offeredName('notes', `${fits}y`)).not.toBe(short);
  expect([...offeredName('notes', '😀'.repeat(60))]).toHaveLength(50);
});

it('knows of a name whose it is, and whether the rest of it is the name', () => {
  expect(readOfferedName('my-notes_add_one')).toEqual({ alias: 'my-notes', rest: 'add_one', isWhole: true });
  expect(readOfferedName(offeredName('notes', 'x'.repeat(60)))).toMatchObject({ alias: 'notes', isWhole: false });
  expect(readOfferedName('add')).toBeUndefined();
});

it('takes no cursor but its own', () => {
  const places = new Map([
    ['a', 'next'],
    ['b', ''],
  ]);
  expect(readCursor(writeCursor(places))).toEqual(places);
  for (const cursor of ['', 'next', 7, writeCursor(new Map()), Buffer.from('[["a",1]]').toString('base64url')])
    expect(readCursor(cursor)).toBeUndefined();
});

it.each([
  ['notes://{year}/{day}', 'notes://2026/monday', true],
  ['notes://{year}/day', 'notes://2026/night', false],
  ['file:///{+path}', 'file:///a/b', true],
  ['notes://all', 'notes://all', true],
  ['notes://all', 'notes://all/more', false],
  ['ab{x}ba', 'aba', false],
])('finds by the template %s whose %s is: %s', (template, uri, fits) => {
  expect(fitsTemplate(template, uri)).toBe(fits);
});

it('can do what one of its members can, and anything where that is not known', () => {
  const plain = { alias: 'a', handshake: { capabilities: { tools: {} }, instructions: 'Be kind.' } };
  const subscribing = { alias: 'b', handshake: { capabilities: { resources: { subscribe: true }, tasks: {} } } };
  const tools = { listChanged: true };
  expect(mergeHandshakes([plain])).toEqual({ capabilities: { tools }, instructions: 'a: Be kind.' });
  expect(mergeHandshakes([plain, subscribing])).toHaveProperty('capabilities', {
    tools,
    resources: { listChanged: true, subscribe: true },
  });
  expect(mergeHandshakes([{ alias: 'c', handshake: undefined }])).toHaveProperty('capabilities.prompts');
});
