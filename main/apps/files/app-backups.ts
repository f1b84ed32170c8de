import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { appChangeSchema } from '../../../shared/app-view.ts';
import type { AppChange } from '../../../shared/app-view.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { appBackups, appFileBytes } from '../../limits.ts';
import { readPlainFile } from '../../plain-file.ts';
import type { AppBackups } from '../../app-ports.ts';
import { denied, readText } from './app-files.ts';

const noteSuffix = '.change.json';

/**
 * Copies of app files: `backups/APP/TIME-ID-NAME` in the profile folder, each with a JSON note about the change next to
 * it. Only this user can read them; old ones are deleted.
 */
export function createAppBackups(profileFolder: string): AppBackups {
  const root = path.join(profileFolder, 'backups');
  const folderOf = ({ app }: AppChange): string => path.join(root, app);
  const copyOf = (change: AppChange): string => path.join(folderOf(change), nameOf(change));
  const noteOf = (change: AppChange): string => `${copyOf(change)}${noteSuffix}`;

  async function listOf(app: string): Promise<readonly AppChange[]> {
    const names = await readdir(path.join(root, app)).catch(() => []);
    const notes = names.filter((name) => name.endsWith(noteSuffix));
    const read = await Promise.all(notes.map((name) => readNote(path.join(root, app, name))));
    return read.filter((change) => change !== undefined && change.app === app) as AppChange[];
  }

  async function list(): Promise<readonly AppChange[]> {
    const apps = await readdir(root).catch(() => []);
    return (await Promise.all(apps.map(listOf))).flat().toSorted(newestFirst);
  }

  async function discard(change: AppChange): Promise<void> {
    await rm(noteOf(change), { force: true });
    await rm(copyOf(change), { force: true });
  }

  /** Errors: APP_FILE_DENIED. */
  async function withDeniedError<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof PosternError ? error : denied(file, 'refused', error);
    }
  }

  return {
    list,
    discard,
    pathOf: copyOf,
    save: (change, before) =>
      withDeniedError(copyOf(change), async () => {
        await mkdir(folderOf(change), { recursive: true, mode: 0o700 });
        if (before !== undefined) await writeNew(copyOf(change), before);
        await writeNew(noteOf(change), JSON.stringify(change));
        const others = (await listOf(change.app)).toSorted(newestFirst).slice(appBackups);
        for (const older of others) await discard(older);
        return before === undefined ? undefined : copyOf(change);
      }),
    before: async (change) => (change.before === undefined ? undefined : await readText(copyOf(change))),
    recordOutcome: (change) =>
      withDeniedError(noteOf(change), async () => {
        await rm(noteOf(change), { force: true });
        await writeNew(noteOf(change), JSON.stringify(change));
      }),
  };
}

/** Flushed before the change itself is made; never overwrites a file. */
async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
}

async function readNote(file: string): Promise<AppChange | undefined> {
  try {
    const bytes = await readPlainFile(file, { limit: appFileBytes, follow: false });
    return bytes && appChangeSchema.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

/** A file name that sorts by time and is valid on every file system. */
function nameOf({ at, id, path: file }: AppChange): string {
  const time = new Date(at).toISOString().replace(/[-:.]/g, '');
  return `${time}-${id}-${file.split(/[\\/]/).at(-1) ?? ''}`;
}

function newestFirst(one: AppChange, other: AppChange): number {
  return other.at - one.at;
}
