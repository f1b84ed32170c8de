import { afterEach, expect, it, vi } from 'vitest';
import { identityOf } from '../../../../main/cli/start/this-process.ts';
import { dateSurroundings, knownDateStyle } from '../../../../main/host/date-style.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const installation = { packaged: false, channel: 'dev' } as const;
/** As nobody writes dates: what is taken over can be told from what is found out. */
const other = { locale: 'x-other', timeZone: 'Nowhere/Else' };

it.skipIf(process.platform === 'win32')(
  'takes over how dates are written from a process of the same surroundings',
  () => {
    const known = { surroundings: dateSurroundings() ?? '', ...other };
    expect(identityOf(installation, known).slice(-2)).toEqual([other.locale, other.timeZone]);
  },
);

it.each([
  ['LANG', 'de_DE.UTF-8'],
  ['LC_ALL', 'tr_TR.UTF-8'],
  ['LC_TIME', 'ja_JP.UTF-8'],
  ['LANGUAGE', 'fr'],
  ['TZ', 'Pacific/Chatham'],
])('finds it out by itself where %s differs', (name, value) => {
  const known = { surroundings: dateSurroundings() ?? 'none', ...other };
  vi.stubEnv(name, value);
  const own = identityOf(installation);
  expect(own).not.toContain(other.locale);
  expect(identityOf(installation, known)).toEqual(own);
});

it.skipIf(process.platform === 'win32')('leaves it to each process where Chromium may have a say in it', () => {
  const known = { surroundings: dateSurroundings() ?? '', ...other };
  const { versions } = process;
  vi.stubGlobal('process', { ...process, env: process.env, versions: { ...versions, electron: '33.0.0' } });
  expect(dateSurroundings()).toBeUndefined();
  expect(knownDateStyle()).toBeUndefined();
  expect(identityOf(installation, known)).not.toContain(other.locale);
});

it('says of itself what it would find out', () => {
  const known = knownDateStyle();
  expect(known === undefined).toBe(process.platform === 'win32');
  if (known) expect(identityOf(installation, known)).toEqual(identityOf(installation));
});
