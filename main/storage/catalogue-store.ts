import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { CatalogueStore, KeptCatalogue } from '../gateway-ports.ts';
import { catalogueFile } from '../limits.ts';
import { readPlainFile } from '../plain-file.ts';
import { makeFolder } from './make-folder.ts';
import { replaceFile } from './replace-file.ts';

const schema = z.array(z.tuple([z.string().max(4_096), z.string()])).max(10_000);

/** What servers said last, a file for each in `catalogue/` of the profile folder; it can be lost at any time. */
export function openCatalogueStore(profileFolder: string): CatalogueStore {
  const folder = path.join(profileFolder, 'catalogue');
  const fileOf = (id: string): string => path.join(folder, `${id}.json`);
  return {
    async read(id): Promise<KeptCatalogue> {
      try {
        const bytes = await readPlainFile(fileOf(id), { limit: catalogueFile, follow: false });
        return bytes === undefined ? [] : schema.parse(JSON.parse(bytes.toString('utf8')));
      } catch {
        return [];
      }
    },
    async write(id, catalogue) {
      makeFolder(folder, 'storage');
      await replaceFile(fileOf(id), Buffer.from(JSON.stringify(catalogue)));
    },
    async retain(ids) {
      const names = await readdir(folder).catch(() => []);
      const gone = names.filter((name) => !ids.has(name.replace(/\.json$/u, '')));
      await Promise.allSettled(gone.map((name) => rm(path.join(folder, name), { force: true })));
    },
  };
}
