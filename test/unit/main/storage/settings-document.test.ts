import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  emptySettings,
  readSettingsDocument,
  renderSettingsDocument,
} from '../../../../main/storage/settings-document.ts';
import { anIntegration } from '../../../support/an-integration.ts';

const [one, two] = [anIntegration({ id: 'one' }), anIntegration({ id: 'two', scope: 'a b', expiresAt: 5 })];
const whole = { version: 1, settings: { callbackPort: 4711 }, integrations: [one, two] };
const read = (value: unknown) => readSettingsDocument(JSON.stringify(value));

/** A file of the first version, as it was shipped: it must be read for ever (CF-11). */
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
      document: whole,
      damage: 'none',
      newer: false,
      hidden: 0,
    });
    expect(readSettingsDocument(renderSettingsDocument(emptySettings)).damage).toBe('none');
  });

  it('reads the first version (CF-11)', () => {
    const { document, damage } = readSettingsDocument(goldenVersion1);
    expect(damage).toBe('none');
    expect(document.settings).toEqual({ callbackPort: 52_114, signInSurface: 'browser' });
    expect(document.integrations.map(({ name }) => name)).toEqual(['Demo']);
  });

  it.each(['', '{', '[]', 'null', '"text"', '5', '{}', '{"version":"1"}', '{"version":0}', '{"version":1.5}'])(
    'takes %j for damaged all through (CF-02)',
    (text) => {
      expect(readSettingsDocument(text)).toMatchObject({ document: emptySettings, damage: 'all', newer: false });
    },
  );

  it('hides one bad entry and keeps the others (CF-12)', () => {
    for (const bad of [
      null,
      5,
      {},
      { ...one, id: '../x' },
      { ...one, id: 'x', extra: 1 },
      { ...one, id: 'x', url: 7 },
    ]) {
      const reading = read({ ...whole, integrations: [one, bad, two] });
      expect(reading).toMatchObject({ damage: 'some', hidden: 1 });
      expect(reading.document.integrations).toEqual([one, two]);
    }
  });

  it('keeps the first of two entries with one id', () => {
    const reading = read({ ...whole, integrations: [one, { ...two, id: 'one' }] });
    expect(reading).toMatchObject({ damage: 'some', hidden: 1, document: { integrations: [one] } });
  });

  it('puts a bad setting back to its default, alone', () => {
    const reading = read({ ...whole, settings: { callbackPort: 80, signInSurface: 'browser', other: true } });
    expect(reading).toMatchObject({ damage: 'some', document: { settings: { signInSurface: 'browser' } } });
    expect(reading.document.settings).not.toHaveProperty('callbackPort');
    expect(reading.document.integrations).toHaveLength(2);
  });

  it('notices surplus names, and no prototype comes through (CF-12)', () => {
    const text = renderSettingsDocument(whole).replace('{', '{"__proto__": {"polluted": true},');
    const { document, damage } = readSettingsDocument(text);
    expect(damage).toBe('some');
    expect(document).toEqual(whole);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('shows what it understands of a newer version and says that it is newer (CF-10)', () => {
    const reading = read({ ...whole, version: 2, surprise: [], integrations: [one, { id: 'future' }] });
    expect(reading).toMatchObject({ newer: true, hidden: 1, document: { integrations: [one] } });
  });

  test.prop([fc.json()])('answers to any JSON without an error, and what it keeps it reads again', (text) => {
    const { document } = readSettingsDocument(text);
    expect(readSettingsDocument(renderSettingsDocument(document)).damage).toBe('none');
  });
});
