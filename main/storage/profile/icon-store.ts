import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { readPlainFile, refuseLinks } from '../../plain-file.ts';
import type { IconDigests, IconStore } from '../../window-ports.ts';
import { makeFolder } from '../files/file-system-error.ts';
import { replaceFile } from '../files/replace-file.ts';

/** Bytes. */
const fileLimit = 524_288;

const schema = z.strictObject({ named: z.string(), at: z.number(), light: z.base64(), dark: z.base64() });
/** The name contains the key and both digests, so that listing reads no file. */
const fileName = /^([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{16})\.json(?:\.tmp-.*)?$/u;

interface IconFile {
  readonly name: string;
  readonly key: string;
  readonly digests: IconDigests;
}

/** Server icons, in one file per server below `icons/` in the profile folder. Losing them is harmless. */
export function openIconStore(profileFolder: string): IconStore {
  const folder = path.join(profileFolder, 'icons');
  const remove = async (files: readonly IconFile[]): Promise<void> => {
    await Promise.allSettled(files.map(({ name }) => rm(path.join(folder, name), { force: true })));
  };
  return {
    async list() {
      const files = (await ownFiles(folder)).filter(({ name }) => name.endsWith('.json'));
      return new Map(files.map(({ key, digests }) => [key, digests]));
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
      const name = icons && `${key}-${icons.digests.light}-${icons.digests.dark}.json`;
      if (icons && name !== undefined) {
        makeFolder(folder, 'storage');
        refuseLinks(folder);
        await replaceFile(path.join(folder, name), Buffer.from(JSON.stringify(icons.original)));
      }
      await remove(before.filter((file) => file.name !== name));
    },
    async retain(keys) {
      await remove((await ownFiles(folder)).filter(({ key }) => !keys.has(key)));
    },
  };
}

/** The only files that are read or removed. Empty if the folder is a link. */
async function ownFiles(folder: string): Promise<readonly IconFile[]> {
  try {
    refuseLinks(folder);
    return (await readdir(folder)).flatMap((name) => {
      const [, key, light, dark] = fileName.exec(name) ?? [];
      return key === undefined || light === undefined || dark === undefined
        ? []
        : { name, key, digests: { light, dark } };
    });
  } catch {
    return [];
  }
}
