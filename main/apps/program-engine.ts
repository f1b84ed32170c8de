import type { Collection } from '../../shared/collection.ts';
import { collectionNamed, collectionReference, titleOf } from '../../shared/entry-name.ts';
import type { Integration } from '../../shared/integration.ts';
import type { ProgramRecords } from '../gateway-ports.ts';
import type { Clock, IntegrationStore, Locks, Random } from '../ports.ts';
import type { ProgramBackups, ProgramFiles } from '../program-ports.ts';
import type { Surroundings } from './table/program.ts';

/** What starts a program. */
export interface EntryCommand {
  /** Absolute. */
  readonly command: string;
  readonly args: readonly string[];
}

/** What changing programs' configurations needs; composition roots fill it. */
export interface ProgramEngine {
  readonly files: ProgramFiles;
  readonly backups: ProgramBackups;
  readonly records: ProgramRecords;
  /** Has the rules for tools. */
  readonly servers: Pick<IntegrationStore, 'changeList'>;
  readonly locks: Locks;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly surroundings: Surroundings;
  /** Absolute: it stands in entries, so that they need no variable. */
  readonly profileFolder: string;
  /** What starts the pipe; the server and the record follow. */
  readonly pipe: EntryCommand;
  /**
   * Both lie where they cannot be found tomorrow: macOS runs what was not moved after its download from such a place.
   */
  readonly isTranslocated?: boolean;
  /** What starts a command of Postern; its words follow. */
  readonly own: EntryCommand;
  /** Where programs reach Postern over HTTP (`http://127.0.0.1:PORT/mcp`), once that was chosen. */
  readonly gatewayUrl: string | undefined;
}

/** Enough to find programs, and to look into their files. */
export type ProgramsHere = Omit<ProgramEngine, 'servers' | 'pipe' | 'own' | 'isTranslocated' | 'gatewayUrl'>;

export function newId({ random }: Pick<ProgramEngine, 'random'>, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('hex');
}

/** Where programs reach Postern over HTTP: an alias follows. */
export function gatewayUrlOf(port: number): string {
  return `http://127.0.0.1:${port}/mcp`;
}

/** What an entry of Postern leads to: a server, or a collection, which is known by its name behind a `+` alone. */
export type UsedServer = Pick<Integration, 'id' | 'name' | 'alias'>;

export function asUsedServer(collection: Collection): UsedServer {
  const reference = collectionReference(collection);
  return { id: reference, alias: reference, name: titleOf(collection) };
}

/** All that entries may lead to. */
export function usedServers(
  integrations: readonly Integration[],
  collections: readonly Collection[],
): readonly UsedServer[] {
  return [...integrations, ...collections.map(asUsedServer)];
}

/** What an entry that leads there is called, unless a person says. */
export function entryNameFor({ id, alias = id }: UsedServer): string {
  return collectionNamed(alias) ?? alias;
}
