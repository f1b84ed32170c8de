import { randomUUID } from 'node:crypto';
import type { Integration } from '../../../shared/integration.ts';
import type { ImportNote } from '../../../shared/list-calls.ts';
import { displayText } from '../../address/display-text.ts';
import { parseTypedAddress } from '../../address/typed-address.ts';
import { findSameCommand, indexCommands } from '../../engine/connect/connect-local.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { ServerIndex } from '../../engine/kept/find-integration.ts';
import { asReadOnce, keysIn } from '../../engine/kept/stored-secrets.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { fixedHeaders } from '../../apps/import/importable.ts';
import type { ListedServer } from '../../apps/import/list-server.ts';
import { hasGap, prepareListed } from '../../apps/import/listed-command.ts';
import type { ListedCommand } from '../../apps/import/listed-command.ts';
import type { Program } from '../../apps/table/program.ts';
import { UnsentRequest } from '../../errors/request-error.ts';
import type { KeyHeader } from '../../window/connections/connections.ts';

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

/**
 * Finds what entries of a list are connected as: by their address, or by their command and the values of its variables.
 * The list of servers is read now, and the vault once, where it is needed. Errors, also of what it returns: CFG_*, KC_*.
 */
export async function listedFinder(
  ports: Pick<EnginePorts, 'store' | 'vault' | 'local'>,
): Promise<(server: ListedServer) => Promise<Integration | undefined>> {
  const integrations = await ports.store.list();
  const servers = new ServerIndex(integrations, keysIn(ports.vault));
  const commands = indexCommands(integrations);
  const vault = asReadOnce(ports.vault);
  return async ({ url, headers, command }) => {
    if (url !== undefined) {
      const address = addressOf(url);
      const { first, further } = fixedHeaders(headers);
      return address && (await servers.findSame({ address, headers: first ? [first, ...further] : [] }));
    }
    // The vault is not opened for a list of which nothing is here.
    if (!command || hasGap(command) || commands.size === 0) return undefined;
    const prepared = await prepareListed(ports, command, '').catch((error: unknown) => {
      // Its program is not on this computer.
      if (error instanceof UnsentRequest) return undefined;
      throw error;
    });
    return prepared && (await findSameCommand(vault, prepared, commands))?.integration;
  };
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
