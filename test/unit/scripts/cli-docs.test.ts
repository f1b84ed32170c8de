import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { format } from 'prettier';
import { resultSchema } from '../../../scripts/cli-docs/result-schemas.ts';
import { cliGuide } from '../../../scripts/cli-docs/cli-guide.ts';
import { errorGuide } from '../../../scripts/cli-docs/error-guide.ts';
import { jsonSchemas } from '../../../scripts/cli-docs/json-schemas.ts';
import { settingsGuide } from '../../../scripts/cli-docs/settings-guide.ts';
import { threatModel } from '../../../scripts/cli-docs/threat-model.ts';
import { checkPromisedResult } from '../../support/promised-results.ts';

const docs = new URL('../../../docs/', import.meta.url);
const style = { printWidth: 120, singleQuote: true } as const;

describe('docs/cli.md, docs/errors.md, docs/settings.md, docs/threat-model.md and docs/cli-json', () => {
  it('match the tables they are generated from (npx node scripts/write-cli-docs.ts)', async () => {
    for (const [name, text] of [
      ['cli.md', cliGuide()],
      ['errors.md', errorGuide()],
      ['settings.md', settingsGuide()],
      ['threat-model.md', threatModel()],
    ] as const)
      expect(readFileSync(new URL(name, docs), 'utf8')).toBe(await format(text, { ...style, parser: 'markdown' }));
    const written = jsonSchemas();
    expect(readdirSync(new URL('cli-json/', docs)).toSorted()).toEqual([...written.keys()].toSorted());
    for (const [name, text] of written)
      expect(readFileSync(new URL(`cli-json/${name}`, docs), 'utf8')).toBe(
        await format(text, { ...style, parser: 'json' }),
      );
  });
});

describe('checkPromisedResult', () => {
  const entry = { id: 'a', name: 'N', alias: null, url: 'u', method: 'm', issuer: null, scope: null, expiresAt: 1 };
  const listed = { ...entry, state: 'integrated', status: 'ready', account: null };

  const noted = { id: 'a', at: 1, app: 'b', path: 'p', action: 'updated', names: ['n'], undoneAt: null };

  it('accepts the documented fields, and additional ones', () => {
    checkPromisedResult(['list', '--json'], [{ result: 'ok', integrations: [listed], vault: 'keychain', more: 1 }]);
    checkPromisedResult(['undo', '--json'], [{ result: 'ok', changes: [noted] }]);
    expect(resultSchema('serve').safeParse({ event: 'new', any: 1 }).success).toBe(true);
  });

  it.each([
    ['a missing field', ['list'], { result: 'ok', integrations: [listed] }],
    [
      'a field of another type',
      ['ls'],
      { result: 'ok', integrations: [{ ...listed, expiresAt: 'soon' }], vault: 'keychain' },
    ],
    ['a missing status', ['show', 'a'], { result: 'ok', integration: entry }],
    ['an error without a next step', ['call', 'a', 'b'], { result: 'error', error: { code: 'X' } }],
    ['a changed event', ['call', 'a', 'b'], { event: 'progress', progress: 'half' }],
    [
      'a result that matches none of several alternatives',
      ['undo'],
      { result: 'ok', changes: [{ ...noted, names: 'a' }] },
    ],
    ['a change without its action', ['use', 'a', 'b'], { result: 'ok', changes: [{ app: 'b', path: 'p' }] }],
    ['an undocumented event', ['serve'], { event: 'new', any: 1 }],
    ['an event of another command', ['local', 'stop', 'a'], { event: 'preview', changes: [] }],
    ['a command on a connection', ['with', 'u', '--', 'tools'], { result: 'ok' }],
  ])('notices %s', (_, words, line) => {
    expect(() => checkPromisedResult(words, [line])).toThrow(/promised/u);
  });
});
