import { randomUUID } from 'node:crypto';
import { withFreeName } from '../../integration/connect/with-free-name.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { exportedAddress, readExport } from './exported-list.ts';
import type { ExportedIntegration } from './exported-list.ts';

export interface ImportedList {
  /** Ids of those that are new here. */
  readonly added: readonly string[];
  /** How many were here already. */
  readonly skipped: number;
  /** How many do not fit. */
  readonly refused: number;
  /** How many choices of the file were not taken from there. */
  readonly leftOut: number;
}

type Ports = Pick<EnginePorts, 'store' | 'locks' | 'clock'>;

/** Takes the servers of a file that `renderExport` made; `undefined`: it is no such file. Errors: CFG_*. */
export async function importList(ports: Ports, text: string): Promise<ImportedList | undefined> {
  const file = readExport(text);
  if (!file) return undefined;
  const added: string[] = [];
  let skipped = 0;
  let leftOut = 0;
  for (const entry of file.entries) {
    const id = await add(ports, entry);
    if (id === undefined) skipped += 1;
    else {
      added.push(id);
      leftOut += entry.leftOut;
    }
  }
  return { added, skipped, refused: file.refused, leftOut };
}

/** `undefined`: there already. */
async function add(ports: Ports, { name, url, method, options }: ExportedIntegration): Promise<string | undefined> {
  const known = await ports.store.list();
  if (known.some((there) => there.name === name && [there.url, exportedAddress(there.url)].includes(url)))
    return undefined;
  const id = randomUUID();
  await withFreeName(ports, { name, url }, (freeName) =>
    ports.store.write({
      id,
      name: freeName,
      url,
      method,
      // Without its secrets there is nothing to go on with, except where none are needed.
      state: method === 'NoAuth' && options.headerName === undefined ? 'integrated' : 'signedOut',
      createdAt: ports.clock.now(),
      notes: [],
      options,
    }),
  );
  return id;
}
