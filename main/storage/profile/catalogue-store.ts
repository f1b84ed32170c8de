import path from 'node:path';
import * as z from 'zod';
import type { CatalogueStore, KeptCatalogue } from '../../gateway-ports.ts';
import { catalogueEntries, catalogueFile, catalogueKey } from '../../limits.ts';
import { openServerFiles } from './server-files.ts';
import type { ServerFiles } from './server-files.ts';

const schema = z.array(z.tuple([z.string().max(catalogueKey), z.string()])).max(catalogueEntries);

/** What servers said last, a file for each in `catalogue/` of the profile folder; it can be lost at any time. */
export function openCatalogueStore(profileFolder: string): CatalogueStore {
  const { read, write, retain } = openCatalogueFiles(profileFolder);
  return {
    async read(id): Promise<KeptCatalogue> {
      try {
        return schema.parse(await read(id));
      } catch {
        return [];
      }
    },
    write,
    retain,
  };
}

export function openCatalogueFiles(profileFolder: string): ServerFiles {
  return openServerFiles(path.join(profileFolder, 'catalogue'), catalogueFile);
}
