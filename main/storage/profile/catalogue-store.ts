import path from 'node:path';
import * as z from 'zod';
import type { CatalogueStore, KeptCatalogue } from '../../gateway-ports.ts';
import { catalogueEntries, catalogueFile, catalogueKey } from '../../limits.ts';
import { openServerFiles } from './server-files.ts';
import type { ServerFiles } from './server-files.ts';

const schema = z.strictObject({
  owner: z.string(),
  entries: z.array(z.tuple([z.string().max(catalogueKey), z.string()])).max(catalogueEntries),
});

/** What servers said last, a file for each in `catalogue/` of the profile folder; it can be lost at any time. */
export function openCatalogueStore(profileFolder: string): CatalogueStore {
  const { read, write, remove, retain } = openCatalogueFiles(profileFolder);
  return {
    async read(id): Promise<KeptCatalogue | undefined> {
      return schema.safeParse(await read(id).catch(() => undefined)).data;
    },
    write,
    forget: (id) => remove(id).catch(() => {}),
    retain,
  };
}

export function openCatalogueFiles(profileFolder: string): ServerFiles {
  return openServerFiles(path.join(profileFolder, 'catalogue'), catalogueFile);
}
