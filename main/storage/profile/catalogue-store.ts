import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { CatalogueStore, KeptCatalogue } from '../../gateway-ports.ts';
import { catalogueEntries, catalogueFile, catalogueKey } from '../../limits.ts';
import { readPlainFile, refuseLinks } from '../../plain-file.ts';
import { makeFolder } from '../files/make-folder.ts';
import { replaceFile } from '../files/replace-file.ts';

const schema = z.array(z.tuple([z.string().max(catalogueKey), z.string()])).max(catalogueEntries);

/** What servers said last, a file for each in `catalogue/` of the profile folder; it can be lost at any time. */
export function openCatalogueStore(profileFolder: string): CatalogueStore {
  const folder = path.join(profileFolder, 'catalogue');
  const fileOf = (id: string): string => path.join(folder, `${id}.json`);
  return {
    async read(id): Promise<KeptCatalogue> {
      try {
        refuseLinks(folder);
        const bytes = await readPlainFile(fileOf(id), { limit: catalogueFile, follow: false });
        return bytes === undefined ? [] : schema.parse(JSON.parse(bytes.toString('utf8')));
      } catch {
        return [];
      }
    },
    async write(id, catalogue) {
      makeFolder(folder, 'storage');
      refuseLinks(folder);
      await replaceFile(fileOf(id), Buffer.from(JSON.stringify(catalogue)));
    },
    async retain(ids) {
      const gone = (await ownFiles(folder)).filter((name) => !ids.has(name.replace(/\.json.*$/u, '')));
      await Promise.allSettled(gone.map((name) => rm(path.join(folder, name), { force: true })));
    },
  };
}

/** Nothing else is removed, and nothing of a folder that a link names. */
async function ownFiles(folder: string): Promise<readonly string[]> {
  try {
    refuseLinks(folder);
    return (await readdir(folder)).filter((name) => /^[a-z0-9-]{1,64}\.json(?:\.tmp-.*)?$/u.test(name));
  } catch {
    return [];
  }
}
