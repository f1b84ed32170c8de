import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ruleOf } from '../../main/engine/trace/trace-record.ts';
import { setWindowLanguage, windowWords } from '../../main/window-words.ts';
import { waitRetryAfter } from '../../shared/error-catalog/catalog-entry.ts';
import { describeError, errorCodes } from '../../shared/error-codes.ts';
import { knownServers } from '../../shared/known-servers.ts';
import { tracePurposes } from '../../shared/trace.ts';
import { describeInGerman } from '../../shared/words/de/error-words.ts';
import { serviceAdviceWords, serviceStepWords, serviceWords } from '../../shared/words/de/service-words.ts';
import { callbackWords as germanCallbackWords } from '../../shared/words/de/sign-in-words.ts';
import { callbackWords } from '../../shared/words/en/sign-in-words.ts';
import { english } from '../../shared/words/english.ts';
import { german } from '../../shared/words/german.ts';
import { errorDetails, remediesOf } from '../support/error-details.ts';
import { findEnglishOfErrors, findSentences } from '../support/find-hardcoded-text.ts';

const root = join(import.meta.dirname, '../..');
const sources = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Names, and words that are the same in both languages. */
// prettier-ignore
const alike = new Set([
  '', 'Postern', 'App', 'Apps', 'optional', 'Server', 'Tool', 'Tools', 'Prompts', 'Name', 'Filter', 'MCP', 'JSON', 'PKCE', 'Proxy',
  'Version', 'Start', 'Updates', 'Updates…', 'English', 'Deutsch', 'Code', 'Cloud', 'Design', 'Offline', 'Text', 'OK', 'Header',
  'Problem', 'Details', 'localhost', 'example.com/mcp', 'https://example.com/authorize', 'https://example.com/token',
  'postern-integrations.json',
]);

/** Addresses, a scheme, a process name and the response to a request that none of our pages sends. */
const unsaid = new Set(['http://127.0.0.1/…', 'http://localhost:6274', 'Bearer ${', 'Postern keychain', 'Not found']);

/** Every sentence of a table by its path; functions are left as they are. */
function leaves(table: unknown, place = ''): [string, unknown][] {
  if (typeof table !== 'object' || table === null) return [[place, table]];
  return Object.entries(table).flatMap(([key, value]) => leaves(value, `${place}.${key}`));
}

/** Which arguments of a function appear in its text; unknown for functions that take lists. */
function namesIn(said: unknown): readonly string[] {
  if (typeof said !== 'function') return [];
  const names = ['first', 'second', 'third', 'fourth'].map((name) => `‹${name}›`);
  try {
    const text = JSON.stringify((said as (...values: readonly string[]) => unknown)(...names));
    return names.filter((name) => text.includes(name));
  } catch {
    return [];
  }
}

function compare(one: unknown, other: unknown): void {
  const others = new Map(leaves(other));
  expect([...others.keys()].toSorted()).toEqual(
    leaves(one)
      .map(([place]) => place)
      .toSorted(),
  );
  const same = leaves(one).filter(
    ([place, said]) => typeof said === 'string' && said === others.get(place) && !alike.has(said),
  );
  expect(same).toEqual([]);
  const unused = leaves(one).flatMap(([place, said]) => {
    const names = namesIn(said);
    const translated = namesIn(others.get(place));
    return names.filter((name) => !translated.includes(name)).map((name) => `${place} ${name}`);
  });
  expect(unused).toEqual([]);
}

describe('German', () => {
  it('translates every sentence of the window, with the same values', () => {
    compare(english, german);
  });

  it('translates what the catalog says about services, and nothing outdated', () => {
    const texts = knownServers.flatMap(
      ({ description, hints = [], placeholders = {}, otherAddresses = [], key, oauthApp }) => [
        ...[description, ...hints, ...Object.values(placeholders), ...otherAddresses.map(({ of }) => of)],
        ...[...(key?.what === undefined ? [] : [key.what]), ...(oauthApp?.steps ?? [])],
      ],
    );
    const table = { ...serviceWords, ...serviceAdviceWords, ...serviceStepWords };
    expect(Object.keys(table).toSorted()).toEqual([...new Set(texts)].toSorted());
    for (const text of texts) expect(german.catalog.translate(text)).toBe(table[text]);
  });

  it('translates each trace rule, except names of documents and methods', () => {
    const forms = ['', '/x'].flatMap((path) =>
      ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'].map(
        (name) => `https://as.example/.well-known/${name}${path}`,
      ),
    );
    const rules = tracePurposes.flatMap((purpose) =>
      [...forms, 'https://as.example/x/.well-known/openid-configuration'].flatMap((url) =>
        [undefined, {}, { resourceMetadata: url }].flatMap((challenge) =>
          [true, false].map(
            (isNamed) => ruleOf({ purpose, url, status: 200, challenge, isNamed, rpcMethod: 'ping' }).rule,
          ),
        ),
      ),
    );
    const same = new Set(rules.filter((rule) => german.diagnosis.rule(rule) === rule));
    expect([...same].toSorted()).toEqual(['ASM', 'MCP ping']);
  });

  it('translates every sentence of main', () => {
    const spoken = windowWords;
    try {
      setWindowLanguage('de');
      expect(windowWords).not.toBe(spoken);
      compare(spoken, windowWords);
    } finally {
      setWindowLanguage('en');
    }
  });

  it('translates everything the browser shows at the end of a sign-in', () => {
    compare(callbackWords, germanCallbackWords);
  });

  it.each(errorCodes)('includes the same values and steps as English for %s', (code) => {
    for (const detail of errorDetails) {
      const [englishText, germanText] = [describeError(code, detail).message, describeInGerman(code, detail)];
      expect(germanText).not.toBe(englishText);
      expect(germanText).toMatch(/^\S.{10,}[.]$/su);
      // Without a time, neither can name it.
      if (!englishText.includes('Invalid')) expect(germanText).not.toMatch(/undefined|NaN|Invalid/u);
      for (const name of Object.values(detail)
        .map(String)
        .filter((value) => /[./]/u.test(value) && englishText.includes(value)))
        expect(germanText).toContain(name);
    }
    for (const remedy of remediesOf(code)) {
      expect(german.errors.nextStep(remedy)).not.toBe(english.errors.nextStep(remedy));
    }
  });
});

describe('a sentence with the number 1', () => {
  const manyOne = {
    en: /(?<![\d.,])1 (?:more )?(?:seconds|minutes|times|bytes|characters|parts|files|calls|servers|sign-ins|tools|programs|apps|changes|entries|choices|fields|questions|hosts|permissions|were|are|have)\b|(?<![\d.,])1 more, which are\b/u,
    de: /(?<![\d.,])1 (?:weitere )?(?:Sekunden|Minuten|Bytes|Teile|Dateien|Aufrufen?|Servern|Anmeldungen|Programmen?|Apps|Änderungen|Einträge|Felder|Fragen|Berechtigungen|sind|werden|wurden|haben)(?!\p{L})|(?<![\d.,])1 weitere\b[^.]*\b(?:werden|sind|haben|bleiben)\b/u,
  };
  /** They take a time of day or a duration, such as `1:30`. */
  const clocks = new Set(['.signIn.linkExpires', '.signIn.timeLeftLabel']);
  /** Every argument is 1, an empty list or a text. */
  const said = (sentence: unknown): readonly string[] => {
    if (typeof sentence !== 'function') return [];
    const say = sentence as (...values: readonly unknown[]) => unknown;
    return [
      [1, 1, 1, 1],
      ['one', 1, 1, 1],
      ['one', 'two', 1, 1],
      [1, ['one'], 1, 1],
      [1, 2, 1, 1],
    ].flatMap((values) => {
      try {
        const text = say(...values);
        return typeof text === 'string' ? [text] : [];
      } catch {
        return [];
      }
    });
  };

  it.each([
    ['en', english],
    ['de', german],
  ] as const)('has no plural noun in the window (%s)', (language, table) => {
    const wrong = leaves(table).flatMap(([place, sentence]) =>
      said(sentence).flatMap((text) =>
        !clocks.has(place) && manyOne[language].test(text) ? [`${place}: ${text}`] : [],
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('has no plural noun in an error', () => {
    const numbers = { seconds: 1, count: 1, others: 1, unreadable: 1, times: 1, retryAfter: 1 };
    const wrong = errorCodes.flatMap((code) => [
      ...[describeError(code, numbers).message].filter((text) => manyOne.en.test(text)),
      ...[describeInGerman(code, numbers)].filter((text) => manyOne.de.test(text)),
    ]);
    expect(wrong).toEqual([]);
    const wait = waitRetryAfter(1);
    expect(english.errors.nextStep(wait)).not.toMatch(manyOne.en);
    expect(german.errors.nextStep(wait)).not.toMatch(manyOne.de);
  });
});

describe('a sentence', () => {
  it('in German contains no English', () => {
    // They contain nothing but hosts, numbers and texts passed to them.
    const neutral = new Set(['hostOr', 'httpStatus', 'textFor', 'textOf']);
    const taken = sources('shared/words/de/*-errors.ts').flatMap((file) =>
      [...read(file).matchAll(/^import \{([^}]*)\} from '(?:\.\.\/)*error-catalog\/catalog-entry\.ts';$/gmu)].flatMap(
        ([, names = '']) => names.split(',').map((name) => name.trim()),
      ),
    );
    expect(taken.filter((name) => name !== '' && !neutral.has(name))).toEqual([]);
    expect(taken).toContain('httpStatus');
  });

  const shown = [...sources('renderer/**/*.{ts,tsx}'), ...sources('main/window/**/*.ts')];

  it('is in a table, not in a component', () => {
    expect(shown.length).toBeGreaterThan(150);
    const found = shown.flatMap((file) =>
      findSentences(file, read(file))
        .filter((text) => !unsaid.has(text))
        .map((text) => `${file}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it("of an error comes from the window's table", () => {
    const wrong = shown.filter((file) => file.startsWith('renderer/'));
    expect(wrong.flatMap((file) => findEnglishOfErrors(file, read(file)).map((path) => `${file}: ${path}`))).toEqual(
      [],
    );
  });

  it.each([
    ['<p>Not in a table</p>', ['Not in a table']],
    ['<p>{name} is here</p>', ['is here']],
    ['<input placeholder="name" />', ['name']],
    ['<button aria-label="Close" className="Big button" />', ['Close', 'Big button']],
    ['notify({ body: `Sign in to ${name}` })', ['Sign in to ']],
    ["dialog.show('The file is gone.')", ['The file is gone.']],
    ["throw new Error('The page has no root')", []],
    ['<p className="soft small">{words.common.close}</p>', []],
    ['<p>·</p>', []],
  ])('is found in %s', (source, sentences) => {
    expect(findSentences('a.tsx', source)).toEqual(sentences);
  });

  it('of an error is found where its English is shown, not where two errors are compared', () => {
    expect(findEnglishOfErrors('a.tsx', '<p>{call.error.message}</p>')).toEqual(['call.error.message']);
    expect(findEnglishOfErrors('a.tsx', "flash('Not saved: ' + failure?.message)")).toEqual(['failure.message']);
    expect(findEnglishOfErrors('a.tsx', 'one.error.message !== other.error?.message')).toEqual([]);
  });
});
