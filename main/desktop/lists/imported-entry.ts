import { randomUUID } from 'node:crypto';
import type { Integration } from '../../../shared/integration.ts';
import type { ImportNote } from '../../../shared/list-calls.ts';
import { displayText } from '../../address/display-text.ts';
import { parseTypedAddress } from '../../address/typed-address.ts';
import { findSameCommand } from '../../integration/connect/connect-local.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { findSameServer } from '../../integration/kept/find-integration.ts';
import { keysIn } from '../../integration/kept/stored-secrets.ts';
import { PosternError } from '../../postern-error.ts';
import { fixedHeaders } from '../../programs/import/importable.ts';
import type { ListedServer } from '../../programs/import/list-server.ts';
import { hasGap, prepareListed } from '../../programs/import/listed-command.ts';
import type { ListedCommand } from '../../programs/import/listed-command.ts';
import type { Program } from '../../programs/table/program.ts';
import { UnsentRequest } from '../../request-error.ts';
import type { KeyHeader } from '../connections/connections.ts';

/** What of an entry of a list stays in main, until it is connected or taken over. */
export interface ImportedEntry {
  readonly name: string;
  /** Whole, with the keys in it. */
  readonly url?: string;
  readonly header?: KeyHeader;
  /** Of a local one, with the values of its variables. */
  readonly command?: ListedCommand;
  /** Where it stands; absent: it was pasted. */
  readonly place?: EntryPlace;
}

interface EntryPlace {
  readonly program: Program;
  /** As it is written there. */
  readonly name: string;
  /** All of it, of which the window was shown no value. */
  readonly server: ListedServer;
}

/** Keeps an entry, and answers what a window may know of it. */
export function keepEntry(
  imports: Map<string, ImportedEntry>,
  { name, url, headers, command, notes }: ListedServer,
  place?: EntryPlace,
): { readonly id: string; readonly headerNames?: string[]; readonly notes: ImportNote[] } {
  const id = randomUUID();
  const { first, further, leftOut } = fixedHeaders(headers);
  const key = first && url !== undefined && { ...first, further, url };
  imports.set(id, {
    name,
    ...(url !== undefined && { url }),
    ...(key && { header: key }),
    ...(command && { command }),
    ...(place && { place }),
  });
  return {
    id,
    ...(first && { headerNames: [first, ...further].map((header) => displayText(header.name)) }),
    notes: [...notes, ...(leftOut.length > 0 ? (['header-unusable'] as const) : [])],
  };
}

/** What an entry of a list is connected as: by its address, or by its command and the values of its variables. Errors: CFG_*, KC_*. */
export async function findListed(
  ports: Pick<EnginePorts, 'store' | 'vault' | 'local'>,
  { url, headers, command }: ListedServer,
): Promise<Integration | undefined> {
  const integrations = await ports.store.list();
  if (url !== undefined) {
    const address = addressOf(url);
    const { first, further } = fixedHeaders(headers);
    const entry = address && { address, headers: first ? [first, ...further] : [] };
    return entry && (await findSameServer(integrations, entry, keysIn(ports.vault)));
  }
  // The vault is not opened for a list of which nothing is here.
  if (!command || hasGap(command) || !integrations.some((each) => each.command)) return undefined;
  const prepared = await prepareListed(ports, command, '').catch((error: unknown) => {
    // Its program is not on this computer.
    if (error instanceof UnsentRequest) return undefined;
    throw error;
  });
  return prepared && (await findSameCommand(ports, prepared))?.integration;
}

/** `undefined`: it is none. */
function addressOf(url: string): URL | undefined {
  try {
    return parseTypedAddress(url);
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return undefined;
  }
}
