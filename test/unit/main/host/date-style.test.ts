import { afterEach, expect, it, vi } from 'vitest';
import { processIdentity } from '../../../../main/cli/start/this-process.ts';
import { dateEnvironment, knownDateStyle } from '../../../../main/host/date-style.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const installation = { isPackaged: false, channel: 'dev' } as const;
/** A style that no system has, so that an inherited value differs from a detected one. */
const fake = { locale: 'x-fake', timeZone: 'Nowhere/Else' };

it.skipIf(process.platform === 'win32')('inherits the date style from a process in the same environment', () => {
  const known = { surroundings: dateEnvironment() ?? '', ...fake };
  expect(processIdentity(installation, known).slice(-2)).toEqual([fake.locale, fake.timeZone]);
});

it.each([
  ['LANG', 'de_DE.UTF-8'],
  ['LC_ALL', 'tr_TR.UTF-8'],
  ['LC_TIME', 'ja_JP.UTF-8'],
  ['LANGUAGE', 'fr'],
  ['TZ', 'Pacific/Chatham'],
])('detects the date style itself if %s differs', (name, value) => {
  const known = { surroundings: dateEnvironment() ?? 'none', ...fake };
  vi.stubEnv(name, value);
  const own = processIdentity(installation);
  expect(own).not.toContain(fake.locale);
  expect(processIdentity(installation, known)).toEqual(own);
});

it.skipIf(process.platform === 'win32')(
  'leaves detection to each process under Electron, where Chromium may affect it',
  () => {
    const known = { surroundings: dateEnvironment() ?? '', ...fake };
    const { versions } = process;
    vi.stubGlobal('process', { ...process, env: process.env, versions: { ...versions, electron: '33.0.0' } });
    expect(dateEnvironment()).toBeUndefined();
    expect(knownDateStyle()).toBeUndefined();
    expect(processIdentity(installation, known)).not.toContain(fake.locale);
  },
);

it('reports the same style that it would detect', () => {
  const known = knownDateStyle();
  expect(known === undefined).toBe(process.platform === 'win32');
  if (known) expect(processIdentity(installation, known)).toEqual(processIdentity(installation));
});
