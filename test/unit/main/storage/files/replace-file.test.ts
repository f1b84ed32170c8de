import { chmodSync, chownSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFile, replaceSteps } from '../../../../../main/storage/files/replace-file.ts';
import { node, runScript, supportScript } from '../../../../support/run-script.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const old = 'old '.repeat(3_000);
const fresh = 'new '.repeat(5_000);

function oldFile(): string {
  const file = path.join(temporaryFolder(), 'vault');
  writeFileSync(file, old, { mode: 0o600 });
  return file;
}

describe('replaceFile', () => {
  it('replaces the content, readable by this user only', async () => {
    const file = oldFile();
    chmodSync(file, 0o644);
    await replaceFile(file, Buffer.from(fresh));
    expect(readFileSync(file, 'utf8')).toBe(fresh);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(file))).toEqual(['vault']);
  });

  it.each(replaceSteps)(
    'leaves the old or the new file when killed before "%s", and no leftovers (RF-03)',
    async (step) => {
      const file = oldFile();
      const script = runScript(node(supportScript('storage/replace-and-die.ts'), file, step));
      expect(await script.ended).toMatchObject({ signal: 'SIGKILL', lines: [] });
      const isNew = replaceSteps.indexOf(step) > replaceSteps.indexOf('rename');
      expect(readFileSync(file, 'utf8')).toBe(isNew ? fresh : old);
      await replaceFile(file, Buffer.from('next'));
      expect(readFileSync(file, 'utf8')).toBe('next');
      expect(readdirSync(path.dirname(file))).toEqual(['vault']);
    },
  );

  it('keeps the old file if the disk takes only part of the new one (CF-04)', async () => {
    const file = oldFile();
    // A file size limit cuts a write short, as a full disk does.
    const limited = ['bash', '-c', 'ulimit -f 16; exec "$@"', '_', ...node(supportScript('storage/replace-file.ts'))];
    expect(await runScript([...limited, file, '100000']).ended).toMatchObject({ lines: ['CFG_DISK_FULL'] });
    expect(readFileSync(file, 'utf8')).toBe(old);
    expect(readdirSync(path.dirname(file))).toEqual(['vault']);
    expect(await runScript([...limited, file, '10000']).ended).toMatchObject({ lines: ['done'] });
  });

  it('trusts what is on the disk, not what the write reported (CF-04)', async () => {
    const file = oldFile();
    const folder = path.dirname(file);
    const truncateBefore = (step: string): void => {
      const temporary = readdirSync(folder).find((name) => name.includes('.tmp-'));
      if (step === 'compare' && temporary !== undefined) truncateSync(path.join(folder, temporary), 4_096);
    };
    await expect(replaceFile(file, Buffer.from(fresh), truncateBefore)).rejects.toMatchObject({
      code: 'CFG_DISK_FULL',
    });
    expect(readFileSync(file, 'utf8')).toBe(old);
    expect(readdirSync(folder)).toEqual(['vault']);
  });

  it('fails with CFG_READONLY in a read-only folder (CF-06)', async () => {
    const file = oldFile();
    const folder = path.dirname(file);
    // Root can write anywhere, so the script runs as nobody.
    const isRoot = process.getuid?.() === 0;
    const nobody = 65_534;
    if (isRoot) for (const entry of [file, folder]) chownSync(entry, nobody, nobody);
    chmodSync(folder, 0o500);
    const command = node(supportScript('storage/replace-file.ts'), file, '10');
    const script = runScript(command, isRoot ? { uid: nobody, gid: nobody } : {});
    expect(await script.ended).toMatchObject({ lines: ['CFG_READONLY'] });
    chmodSync(folder, 0o700);
    expect(readFileSync(file, 'utf8')).toBe(old);
  });
});
