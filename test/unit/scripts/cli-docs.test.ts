import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { format } from 'prettier';
import { answerSchema } from '../../../scripts/cli-docs/answer-schemas.ts';
import { cliGuide } from '../../../scripts/cli-docs/cli-guide.ts';
import { errorGuide } from '../../../scripts/cli-docs/error-guide.ts';
import { jsonSchemas } from '../../../scripts/cli-docs/json-schemas.ts';
import { holdAgainstPromise } from '../../support/promised-answers.ts';

const docs = new URL('../../../docs/', import.meta.url);
const style = { printWidth: 120, singleQuote: true } as const;

describe('docs/cli.md, docs/errors.md and docs/cli-json', () => {
  it('say what help, the errors and the schemas say (npx node scripts/write-cli-docs.ts)', async () => {
    for (const [name, text] of [
      ['cli.md', cliGuide()],
      ['errors.md', errorGuide()],
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

describe('holdAgainstPromise', () => {
  const entry = { id: 'a', name: 'N', alias: null, url: 'u', method: 'm', issuer: null, scope: null, expiresAt: 1 };
  const listed = { ...entry, state: 'integrated', status: 'ready', account: null };

  const noted = { id: 'a', at: 1, program: 'b', path: 'p', action: 'updated', names: ['n'], undoneAt: null };

  it('lets through what is promised, and what comes beside it', () => {
    holdAgainstPromise(['list', '--json'], [{ result: 'ok', integrations: [listed], vault: 'keychain', more: 1 }]);
    holdAgainstPromise(['undo', '--json'], [{ result: 'ok', changes: [noted] }]);
    expect(answerSchema('serve').safeParse({ event: 'new', any: 1 }).success).toBe(true);
  });

  it.each([
    ['a field that is missing', ['list'], { result: 'ok', integrations: [listed] }],
    [
      'a field of another type',
      ['ls'],
      { result: 'ok', integrations: [{ ...listed, expiresAt: 'soon' }], vault: 'keychain' },
    ],
    ['a status that is missing', ['show', 'a'], { result: 'ok', integration: entry }],
    ['an error without a next step', ['call', 'a', 'b'], { result: 'error', error: { code: 'X' } }],
    ['an event that has changed', ['call', 'a', 'b'], { event: 'progress', progress: 'half' }],
    ['one of several answers that is none of them', ['undo'], { result: 'ok', changes: [{ ...noted, names: 'a' }] }],
    ['a change that lacks what it does', ['use', 'a', 'b'], { result: 'ok', changes: [{ program: 'b', path: 'p' }] }],
    ['an event that nobody has written down', ['serve'], { event: 'new', any: 1 }],
    ['an event of another command', ['local', 'stop', 'a'], { event: 'preview', changes: [] }],
    ['what runs on a connection', ['with', 'u', '--', 'tools'], { result: 'ok' }],
  ])('notices %s', (_, words, line) => {
    expect(() => holdAgainstPromise(words, [line])).toThrow(/promised/u);
  });
});
