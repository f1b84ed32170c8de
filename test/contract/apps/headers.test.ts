import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeAppHome, type AppHome } from '../../support/app-home.ts';

/** The end of `postern headers` output. */
async function headers({ run }: AppHome, app: string): Promise<Readonly<Record<string, unknown>>> {
  const { last } = await run('headers', app, '--json');
  const error = last['error'] as { code: string; message: string; nextStep: string } | undefined;
  return error ?? { code: 'none', authorization: last['Authorization'] };
}

it('prints no header for an app without access, and reports the reason', async () => {
  const home = makeAppHome();
  mkdirSync(home.at('.cursor'));
  expect(await headers(home, 'notepad')).toMatchObject({ code: 'APP_NOT_FOUND' });
  const unknown = await headers(home, 'cursor');
  expect(unknown).toMatchObject({ code: 'APP_UNKNOWN', message: expect.stringContaining('Cursor') });
  expect(unknown['nextStep']).toContain('`postern use ID cursor --http`');
  // An entry outlives its record.
  expect(await headers(home, '0123456789abcdef')).toMatchObject({ code: 'APP_UNKNOWN' });
  expect((await home.run('use', 'Notes', 'cursor', '--http', '--yes')).code).toBe(0);
  expect(await headers(home, 'cursor')).toMatchObject({
    code: 'none',
    authorization: expect.stringMatching(/^Bearer /),
  });
  expect((await home.run('unuse', '--all', 'cursor', '--yes')).code).toBe(0);
  expect(await headers(home, 'cursor')).toMatchObject({ code: 'APP_REVOKED' });
  const other = ['use', 'Notes', '--other', 'My agent', '--yes'];
  expect((await home.run(...other)).code).toBe(0);
  expect((await home.run('unuse', 'Notes', 'My agent', '--yes')).code).toBe(0);
  expect(await headers(home, 'My agent')).toMatchObject({ code: 'APP_UNKNOWN' });
});

it('creates a secret only for entries, and a new one for an app that asks each time', async () => {
  const home = makeAppHome();
  mkdirSync(home.at('.cursor'));
  mkdirSync(home.at('.codex'));
  expect((await home.run('use', 'Notes', 'cursor', 'codex', '--http', '--yes')).code).toBe(0);
  rmSync(path.join(home.profile, 'vault'));
  expect(await headers(home, 'cursor')).toMatchObject({ code: 'APP_SECRET_LOST' });
  expect(await headers(home, 'codex')).toMatchObject({ code: 'none' });
  // `use` writes an entry with a new secret.
  expect((await home.run('use', 'Notes', 'cursor', '--http', '--yes')).code).toBe(0);
  expect(await headers(home, 'cursor')).toMatchObject({ code: 'none' });
});
