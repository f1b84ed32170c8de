import { expect, it } from 'vitest';
import { exposedName, parseExposedName } from '../../../../../main/gateway/collection/members.ts';
import {
  withAlias,
  matchesTemplate,
  isCatchAll,
  mergeHandshakes,
  canOverlap,
  readCursor,
  writeCursor,
} from '../../../../../main/gateway/collection/merge-members.ts';

it('prefixes a name with the alias, and shortens it to 50 characters that end in a hash if it is too long', () => {
  expect(exposedName('notes', 'add')).toBe('notes_add');
  const fits = 'x'.repeat(44);
  expect(exposedName('notes', fits)).toBe(`notes_${fits}`);
  const short = exposedName('notes', `${fits}x`);
  expect(short).toMatch(/^notes_x{37}_[0-9a-f]{6}$/u);
  expect(exposedName('notes', `${fits}y`)).not.toBe(short);
  expect([...exposedName('notes', '😀'.repeat(60))]).toHaveLength(50);
});

it('finds the alias in a name, and whether the rest is the whole name', () => {
  expect(parseExposedName('my-notes_add_one')).toEqual({ alias: 'my-notes', rest: 'add_one', isWhole: true });
  expect(parseExposedName(exposedName('notes', 'x'.repeat(60)))).toMatchObject({ alias: 'notes', isWhole: false });
  expect(parseExposedName('add')).toBeUndefined();
});

it('accepts no cursor but its own', () => {
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
])('reports whether the template %s matches %s: %s', (template, uri, fits) => {
  expect(matchesTemplate(template, uri)).toBe(fits);
});

it.each([
  ['repo://{owner}/{path}', 'repo://acme/{path}', true],
  ['repo://{owner}/a', 'repo://{owner}/b', false],
  ['repo://{owner}', 'notes://{owner}', false],
  ['repo://{+rest}', 'repo://acme/{path}.md', true],
  ['repo://acme/one', 'repo://{owner}/{path}', true],
  ['repo://acme/one', 'repo://acme/two', false],
])('reports whether %s and %s can match the same address: %s', (one, other, can) => {
  expect([canOverlap(one, other), canOverlap(other, one)]).toEqual([can, can]);
});

it('detects a template that does not begin with a fixed scheme', () => {
  expect(['{+all}', '{scheme}://x', 'r{+all}', 'repo:{+all}', 'plain'].filter(isCatchAll)).toEqual([
    '{+all}',
    '{scheme}://x',
    'r{+all}',
  ]);
});

it('prefixes each line of a server with its name', () => {
  expect(withAlias('a', 'Be kind.')).toBe('a: Be kind.');
  expect(withAlias('a', '\n\nOne\n\n\nb: two\r\n  three\n')).toBe('a: One\na:\na: b: two\na:   three');
  expect(withAlias('a', ' \n\u200b')).toBe('');
});

it('merges the extensions of all members, with the settings on which all agree', () => {
  const having = (alias: string, extensions: object) => ({ alias, handshake: { capabilities: { extensions } } });
  const merged = mergeHandshakes([
    having('a', { 'x/ui': { types: ['html'], deep: 1 }, 'io.modelcontextprotocol/tasks': {} }),
    having('b', { 'x/ui': { types: ['html'], deep: 2 }, 'x/skills': { listChanged: true } }),
    { alias: 'c', handshake: { capabilities: { experimental: { odd: { n: 1 } } } } },
  ]);
  expect(merged).toHaveProperty('capabilities.extensions', {
    'x/ui': { types: ['html'] },
    'x/skills': { listChanged: true },
  });
  expect(merged).toHaveProperty('capabilities.experimental', { odd: { n: 1 } });
});

it('has each capability that a member has, and every capability if a member is unknown', () => {
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
