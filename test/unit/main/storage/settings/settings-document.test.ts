import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { toStoredDeletion, toStoredIntegration } from '../../../../../main/storage/settings/read-settings-parts.ts';
import {
  emptySettings,
  maxReportedParts,
  readSettingsDocument,
  renderSettingsDocument,
} from '../../../../../main/storage/settings/settings-document.ts';
import { maxCollections } from '../../../../../shared/entry-name.ts';
import type { PendingDeletion, RemovedCollection } from '../../../../../shared/pending-deletion.ts';
import type { AppRecord } from '../../../../../shared/app-record.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

const [one, two] = [anIntegration({ id: 'one' }), anIntegration({ id: 'two', scope: 'a b', expiresAt: 5 })];
const cursor: AppRecord = {
  id: '00ff00ff00ff00ff',
  app: 'cursor',
  name: 'Cursor',
  integrations: ['one'],
  createdAt: 5,
};
const work = { name: 'work', members: ['one', 'two'] };
const pending: PendingDeletion = {
  batch: '00ff00ff00ff',
  kind: 'remove',
  since: 5,
  integration: anIntegration({ id: 'three', issuerKey: 'https://login.example' }),
};
const removed: RemovedCollection = {
  ...{ batch: '0a0b0c0d0e0f', kind: 'remove', since: 5, until: 6, place: 0 },
  collection: { name: 'home', members: ['one'] },
};
const whole = {
  version: 1,
  settings: { callbackPort: 4711 },
  integrations: [one, two],
  apps: [cursor],
  collections: [work],
  pendingDeletions: [pending],
  removedCollections: [removed],
};

function readable(text: string) {
  const reading = readSettingsDocument(text);
  if (reading.state === 'unreadable') throw new Error(`unreadable: ${reading.fault.reason}`);
  return reading;
}

/** In the form of the file. */
const [storedOne, storedTwo] = [toStoredIntegration(one), toStoredIntegration(two)];
const stored = { ...whole, integrations: [storedOne, storedTwo], pendingDeletions: [toStoredDeletion(pending)] };
const read = (value: unknown) => readable(JSON.stringify(value));

/** A file of the first version, as shipped; it must stay readable forever (CF-11). */
const goldenVersion1 = `{
  "version": 1,
  "settings": { "callbackPort": 52114, "signInSurface": "browser" },
  "integrations": [
    {
      "id": "8d3a", "name": "Demo", "url": "http://localhost:4711/mcp", "method": "OAuthWithDCR",
      "state": "integrated", "issuer": "http://localhost:4712", "redirectUri": "http://127.0.0.1:52114/integration/oauth/callback",
      "scope": "notes", "createdAt": 1790000000000, "notes": [],
      "options": { "local": true, "allowedHosts": [], "allowHttp": false, "pkce": "when-listed", "legacyEndpoints": false, "sendResource": true }
    }
  ]
}`;

describe('readSettingsDocument', () => {
  it('reads what was rendered', () => {
    expect(readSettingsDocument(renderSettingsDocument(whole))).toEqual({
      state: 'read',
      document: whole,
      ignored: [],
      isNewer: false,
      hasList: true,
    });
    expect(readable(renderSettingsDocument(emptySettings)).ignored).toEqual([]);
  });

  it('reads the first version (CF-11)', () => {
    const { document, ignored } = readable(goldenVersion1);
    expect(ignored).toEqual([]);
    expect(document.settings).toEqual({ callbackPort: 52_114, signInSurface: 'browser' });
    expect(document.integrations.map(({ name }) => name)).toEqual(['Demo']);
  });

  it.each([
    ['', 'empty', undefined],
    [' \n', 'empty', undefined],
    ['{', 'syntax', [1, 2]],
    ['{\n  "version": 1,\n}\n', 'syntax', [3, 1]],
    ['{\n  "version": 1\n  "settings": {}\n}', 'syntax', [3, 3]],
    ['{ "settings": { // theme\n "theme": "dark" } }', 'syntax', [1, 17]],
    ['{ "settings": { "theme": \'dark\' } }', 'syntax', [1, 26]],
    ['{ "settings": { "theme": "dark\n" } }', 'syntax', [1, 31]],
    ['{ "version": 01 }', 'syntax', [1, 15]],
    ['{ "version": 1 } }', 'syntax', [1, 18]],
    ['[]', 'shape', [1, 1]],
    ['null', 'shape', [1, 1]],
    ['"text"', 'shape', [1, 1]],
    ['5', 'shape', [1, 1]],
    ['{\n "version": "1" }', 'shape', [2, 13]],
    ['{ "version": 0 }', 'shape', [1, 14]],
    ['{ "version": 1.5 }', 'shape', [1, 14]],
    ['{ "version": 1, "settings": 5 }', 'shape', [1, 29]],
    ['{ "version": 1, "settings": {},\n"integrations": {} }', 'shape', [2, 17]],
    ['{ "version": 1, "apps": {} }', 'shape', [1, 25]],
    ['{ "version": 1, "programs": [] }', 'before-release', undefined],
    ['{ "version": 1, "integrations": [{ "id": "one", "era": "modern" }] }', 'before-release', undefined],
    ['{ "version": 1, "integrations": [{ "id": "one", "person": {} }] }', 'before-release', undefined],
    ['{ "version": 1, "collections": {} }', 'shape', [1, 32]],
  ] as const)('does not guess in %j, and reports where it fails (CF-02)', (text, reason, position) => {
    const fault = position ? { reason, position: { line: position[0], column: position[1] } } : { reason };
    expect(readSettingsDocument(text)).toEqual({ state: 'unreadable', fault });
  });

  it('drops unreadable undo data, and keeps the list', () => {
    const withInvalidParts = {
      ...stored,
      pendingDeletions: [{ ...pending, later: 1 }],
      removedCollections: { later: 1 },
    };
    expect(read(withInvalidParts)).toMatchObject({
      document: { integrations: [one, two], collections: [work], pendingDeletions: [], removedCollections: [] },
      ignored: [],
    });
  });

  it('adds what is missing: the version, the settings, the list', () => {
    const { version: _version, ...unversioned } = stored;
    expect(read(unversioned)).toMatchObject({ document: whole, ignored: [], hasList: true });
    expect(read({ integrations: [storedOne] }).document).toEqual({ ...emptySettings, integrations: [one] });
    expect(read({})).toMatchObject({ document: emptySettings, ignored: [], hasList: false });
    expect(readable(`\ufeff${renderSettingsDocument(whole)}`).document).toEqual(whole);
  });

  it('reports a bad entry, keeps the others, and preserves it in writes (CF-12)', () => {
    for (const [bad, name, column] of [
      [null, '2', undefined],
      [5, '2', undefined],
      [{}, '2', undefined],
      [{ ...storedOne, id: '../x' }, one.name, '"../x"'],
      [{ ...storedOne, id: 'x', extra: 1 }, one.name, '1}'],
      [{ ...storedOne, id: 'x', url: 7, name: 'Seven' }, 'Seven', '7'],
    ] as const) {
      const text = JSON.stringify({ ...stored, integrations: [storedOne, bad, storedTwo] });
      const { document, ignored } = readable(text);
      expect(document.integrations).toEqual([one, two]);
      expect(ignored).toMatchObject([{ part: 'server', name, position: { line: 1 } }]);
      if (column !== undefined) expect(text.slice((ignored[0]?.position?.column ?? 0) - 1)).toMatch(column);
      const written = JSON.parse(renderSettingsDocument({ ...document, integrations: [one] })) as object;
      expect(written).toMatchObject({ integrations: [storedOne, bad] });
    }
  });

  it('locates the first ignored parts, and only names the rest', () => {
    const ignored = readable(JSON.stringify({ integrations: Array.from({ length: 500 }, () => 5) })).ignored;
    expect(ignored).toHaveLength(500);
    expect(ignored.filter(({ position }) => position).length).toBe(maxReportedParts);
  });

  it('skips an invalid app record, reports it, and preserves it in every write (CF-12)', () => {
    const bad = { ...cursor, secret: 'canary' };
    const { document, ignored } = read({ ...stored, apps: [bad, cursor] });
    expect(document.apps).toEqual([cursor]);
    expect(ignored).toMatchObject([{ part: 'app', name: 'Cursor' }]);
    expect(JSON.parse(renderSettingsDocument(document))).toMatchObject({ apps: [cursor, bad] });
  });

  it.each([
    ['an invalid name', { name: 'My work', members: [] }],
    ['an invalid member', { name: 'own', members: ['one', 5] }],
    ['a member of a newer version', { name: 'own', members: [], color: 'red' }],
    ['a duplicate name', { name: 'work', members: ['two'] }],
  ])('skips a collection with %s, reports it, and preserves it in every write (CF-12)', (_what, bad) => {
    const { document, ignored } = read({ ...stored, collections: [work, bad] });
    expect(document.collections).toEqual([work]);
    expect(ignored).toMatchObject([{ part: 'collection', name: bad.name }]);
    expect(JSON.parse(renderSettingsDocument(document))).toMatchObject({ collections: [work, bad] });
  });

  it('reads a bounded number of collections, and each member once', () => {
    const collections = Array.from({ length: maxCollections + 1 }, (_, index) => ({
      name: `c-${index}`,
      members: [],
    }));
    const { document, ignored } = read({ ...stored, collections });
    expect(document.collections).toHaveLength(maxCollections);
    expect(ignored).toMatchObject([{ part: 'collection', name: `c-${maxCollections}` }]);
    expect(read({ collections: [{ ...work, members: ['one', 'two', 'one'] }] }).document.collections).toEqual([work]);
  });

  it('gives every server of an older file a unique alias', () => {
    const older = ['a', 'b'].map((id) => ({
      ...toStoredIntegration(anIntegration({ id, name: 'My Notes' })),
      alias: undefined,
    }));
    const aliases = read({ ...whole, integrations: older }).document.integrations.map(({ alias }) => alias);
    expect(aliases).toEqual(['my-notes', 'my-notes-2']);
  });

  it('uses the first of two entries with the same ID, and reports the second', () => {
    const second = { ...storedTwo, id: 'one' };
    const { document, ignored } = read({ ...stored, integrations: [storedOne, second] });
    expect(document.integrations).toEqual([one]);
    expect(ignored).toMatchObject([{ part: 'server', name: two.name }]);
    expect(document.ignored?.integrations).toEqual([second]);
  });

  it('uses the default for an invalid setting, and preserves the value', () => {
    const settings = { callbackPort: 80, signInSurface: 'browser', other: true };
    const { document, ignored } = read({ ...stored, settings });
    expect(document.settings).toEqual({ signInSurface: 'browser' });
    expect(document.integrations).toHaveLength(2);
    expect(ignored).toMatchObject([
      { part: 'setting', name: 'callbackPort' },
      { part: 'setting', name: 'other' },
    ]);
    const changed = { ...document, settings: { ...document.settings, callbackPort: 4_711 } };
    expect(JSON.parse(renderSettingsDocument(changed))).toMatchObject({
      settings: { ...settings, callbackPort: 4_711 },
    });
  });

  it('reports and preserves unknown members, and sets no prototype (CF-12)', () => {
    const withUnknownMembers =
      '{"__proto__": {"polluted": true}, "settings": {"__proto__": {"polluted": true}}, "integrations": []}';
    const { document, ignored } = readable(withUnknownMembers);
    expect(ignored.map(({ part, name }) => `${part} ${name}`)).toEqual(['setting __proto__', 'member __proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(document.settings)).toBe(Object.prototype);
    expect(renderSettingsDocument(document).match(/"__proto__"/g)).toHaveLength(2);
  });

  it('treats data that cannot be written back as unreadable', () => {
    const deep = `{"integrations": [\n${'['.repeat(50_000)}${']'.repeat(50_000)}]}`;
    expect(readSettingsDocument(deep)).toEqual({
      state: 'unreadable',
      fault: { reason: 'shape', position: { line: 2, column: 1 } },
    });
  });

  it('reads what it can of a newer version and reports that it is newer (CF-10)', () => {
    const reading = read({ ...stored, version: 2, surprise: [], integrations: [storedOne, { id: 'future' }] });
    expect(reading).toMatchObject({ isNewer: true, document: { integrations: [one] } });
    expect(read({ version: 2, settings: [], integrations: {} })).toMatchObject({
      isNewer: true,
      document: emptySettings,
    });
  });

  test.prop([fc.json()])('reads any JSON without an exception, and can read what it writes', (text) => {
    const reading = readSettingsDocument(text);
    if (reading.state === 'unreadable') return;
    expect(readable(renderSettingsDocument(reading.document)).document).toEqual(reading.document);
  });
});
