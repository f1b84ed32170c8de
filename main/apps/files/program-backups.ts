import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { programChangeSchema } from '../../../shared/program-view.ts';
import type { ProgramChange } from '../../../shared/program-view.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { programBackups, programFileBytes } from '../../limits.ts';
import { readPlainFile } from '../../plain-file.ts';
import type { ProgramBackups } from '../../program-ports.ts';
import { denied, readText } from './program-files.ts';

const noteEnding = '.change.json';

/**
 * `backups/PROGRAM/TIME-NAME` in the profile folder, and beside it what the change was. For this person only; the
 * newest are kept.
 */
export function createProgramBackups(profileFolder: string): ProgramBackups {
  const root = path.join(profileFolder, 'backups');
  const folderOf = ({ program }: ProgramChange): string => path.join(root, program);
  const copyOf = (change: ProgramChange): string => path.join(folderOf(change), nameOf(change));
  const noteOf = (change: ProgramChange): string => `${copyOf(change)}${noteEnding}`;

  async function listOf(program: string): Promise<readonly ProgramChange[]> {
    const names = await readdir(path.join(root, program)).catch(() => []);
    const notes = names.filter((name) => name.endsWith(noteEnding));
    const read = await Promise.all(notes.map((name) => readNote(path.join(root, program, name))));
    return read.filter((change) => change !== undefined && change.program === program) as ProgramChange[];
  }

  async function list(): Promise<readonly ProgramChange[]> {
    const programs = await readdir(root).catch(() => []);
    return (await Promise.all(programs.map(listOf))).flat().toSorted(newestFirst);
  }

  async function forget(change: ProgramChange): Promise<void> {
    await rm(noteOf(change), { force: true });
    await rm(copyOf(change), { force: true });
  }

  /** Errors: PROGRAM_FILE_DENIED. */
  async function guarded<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof PosternError ? error : denied(file, 'refused', error);
    }
  }

  return {
    list,
    forget,
    placeOf: copyOf,
    keep: (change, before) =>
      guarded(copyOf(change), async () => {
        await mkdir(folderOf(change), { recursive: true, mode: 0o700 });
        if (before !== undefined) await writeNew(copyOf(change), before);
        await writeNew(noteOf(change), JSON.stringify(change));
        const others = (await listOf(change.program)).toSorted(newestFirst).slice(programBackups);
        for (const older of others) await forget(older);
        return before === undefined ? undefined : copyOf(change);
      }),
    before: async (change) => (change.before === undefined ? undefined : await readText(copyOf(change))),
    note: (change) =>
      guarded(noteOf(change), async () => {
        await rm(noteOf(change), { force: true });
        await writeNew(noteOf(change), JSON.stringify(change));
      }),
  };
}

/** Synced before the change that it is for, and never over something that is there. */
async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
}

async function readNote(file: string): Promise<ProgramChange | undefined> {
  try {
    const bytes = await readPlainFile(file, { limit: programFileBytes, follow: false });
    return bytes && programChangeSchema.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

/** In the order of time, and fit for every file system. */
function nameOf({ at, id, path: file }: ProgramChange): string {
  const time = new Date(at).toISOString().replace(/[-:.]/g, '');
  return `${time}-${id}-${file.split(/[\\/]/).at(-1) ?? ''}`;
}

function newestFirst(one: ProgramChange, other: ProgramChange): number {
  return other.at - one.at;
}
