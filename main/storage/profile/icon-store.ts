import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { readPlainFile, refuseLinks } from '../../plain-file.ts';
import type { IconMarks, IconStore } from '../../window-ports.ts';
import { makeFolder } from '../files/file-system-error.ts';
import { replaceFile } from '../files/replace-file.ts';

/** Bytes. */
const fileLimit = 524_288;

const schema = z.strictObject({ named: z.string(), at: z.number(), light: z.base64(), dark: z.base64() });
/** Its name says what is in it, so that none has to be read to know that. */
const fileName = /^([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{16})\.json(?:\.tmp-.*)?$/u;

interface IconFile {
  readonly name: string;
  readonly key: string;
  readonly marks: IconMarks;
}

/** Pictures of servers, a file for each in `icons/` of the profile folder; it can be lost at any time. */
export function openIconStore(profileFolder: string): IconStore {
  const folder = path.join(profileFolder, 'icons');
  const remove = async (files: readonly IconFile[]): Promise<void> => {
    await Promise.allSettled(files.map(({ name }) => rm(path.join(folder, name), { force: true })));
  };
  return {
    async list() {
      const files = (await ownFiles(folder)).filter(({ name }) => name.endsWith('.json'));
      return new Map(files.map(({ key, marks }) => [key, marks]));
    },
    async read(key) {
      try {
        const file = (await ownFiles(folder)).find((each) => each.key === key && each.name.endsWith('.json'));
        if (!file) return undefined;
        const bytes = await readPlainFile(path.join(folder, file.name), { limit: fileLimit, follow: false });
        return bytes && schema.parse(JSON.parse(bytes.toString('utf8')));
      } catch {
        return undefined;
      }
    },
    async write(key, icons) {
      const before = (await ownFiles(folder)).filter((file) => file.key === key);
      const name = icons && `${key}-${icons.marks.light}-${icons.marks.dark}.json`;
      if (icons && name !== undefined) {
        makeFolder(folder, 'storage');
        refuseLinks(folder);
        await replaceFile(path.join(folder, name), Buffer.from(JSON.stringify(icons.kept)));
      }
      await remove(before.filter((file) => file.name !== name));
    },
    async retain(keys) {
      await remove((await ownFiles(folder)).filter(({ key }) => !keys.has(key)));
    },
  };
}

/** Nothing else is read or removed, and nothing of a folder that a link names. */
async function ownFiles(folder: string): Promise<readonly IconFile[]> {
  try {
    refuseLinks(folder);
    return (await readdir(folder)).flatMap((name) => {
      const [, key, light, dark] = fileName.exec(name) ?? [];
      return key === undefined || light === undefined || dark === undefined
        ? []
        : { name, key, marks: { light, dark } };
    });
  } catch {
    return [];
  }
}
