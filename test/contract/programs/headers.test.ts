import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeProgramHome, type ProgramHome } from '../../support/program-home.ts';

/** What `postern headers` ends with. */
async function headers({ run }: ProgramHome, program: string): Promise<Readonly<Record<string, unknown>>> {
  const { last } = await run('headers', program, '--json');
  const error = last['error'] as { code: string; message: string; nextStep: string } | undefined;
  return error ?? { code: 'none', authorization: last['Authorization'] };
}

it('prints no header for a program without a right, and says which fault it is', async () => {
  const home = makeProgramHome();
  mkdirSync(home.at('.cursor'));
  expect(await headers(home, 'notepad')).toMatchObject({ code: 'PROGRAM_NOT_FOUND' });
  const unknown = await headers(home, 'cursor');
  expect(unknown).toMatchObject({ code: 'PROGRAM_UNKNOWN', message: expect.stringContaining('Cursor') });
  expect(unknown['nextStep']).toContain('`postern use ID cursor --http`');
  // What stands in an entry outlives the record.
  expect(await headers(home, '0123456789abcdef')).toMatchObject({ code: 'PROGRAM_UNKNOWN' });
  expect((await home.run('use', 'Notes', 'cursor', '--http', '--yes')).code).toBe(0);
  expect(await headers(home, 'cursor')).toMatchObject({
    code: 'none',
    authorization: expect.stringMatching(/^Bearer /),
  });
  expect((await home.run('unuse', '--all', 'cursor', '--yes')).code).toBe(0);
  expect(await headers(home, 'cursor')).toMatchObject({ code: 'PROGRAM_REVOKED' });
  const other = ['use', 'Notes', '--other', 'My agent', '--yes'];
  expect((await home.run(...other)).code).toBe(0);
  expect((await home.run('unuse', 'Notes', 'My agent', '--yes')).code).toBe(0);
  expect(await headers(home, 'My agent')).toMatchObject({ code: 'PROGRAM_UNKNOWN' });
});

it('makes no other secret than the one that stands in entries, and a new one for a program that asks each time', async () => {
  const home = makeProgramHome();
  mkdirSync(home.at('.cursor'));
  mkdirSync(home.at('.codex'));
  expect((await home.run('use', 'Notes', 'cursor', 'codex', '--http', '--yes')).code).toBe(0);
  rmSync(path.join(home.profile, 'vault'));
  expect(await headers(home, 'cursor')).toMatchObject({ code: 'PROGRAM_SECRET_LOST' });
  expect(await headers(home, 'codex')).toMatchObject({ code: 'none' });
  // An entry with a new one.
  expect((await home.run('use', 'Notes', 'cursor', '--http', '--yes')).code).toBe(0);
  expect(await headers(home, 'cursor')).toMatchObject({ code: 'none' });
});
