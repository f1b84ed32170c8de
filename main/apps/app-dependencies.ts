import type { Collection } from '../../shared/collection.ts';
import { collectionNameIn, collectionReference, titleOf } from '../../shared/entry-name.ts';
import type { Integration } from '../../shared/integration.ts';
import type { AppRecords } from '../gateway-ports.ts';
import type { Clock, IntegrationStore, Locks, Random } from '../ports.ts';
import type { AppBackups, AppFiles } from '../app-ports.ts';
import type { HostEnvironment } from './table/app.ts';

/** An executable and its leading arguments. */
export interface EntryCommand {
  /** Absolute. */
  readonly command: string;
  readonly args: readonly string[];
}

/** What reading and changing the configuration of AI apps depends on. Built by the composition roots. */
export interface AppDependencies {
  readonly files: AppFiles;
  readonly backups: AppBackups;
  readonly records: AppRecords;
  /** Holds the tool rules. */
  readonly servers: Pick<IntegrationStore, 'changeList'>;
  readonly locks: Locks;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly host: HostEnvironment;
  /** Absolute, since it is written into entries: they must work without an environment variable. */
  readonly profileFolder: string;
  /** Starts the stdio pipe; the server and the record ID are appended. */
  readonly pipe: EntryCommand;
  /** macOS runs a quarantined app from a random path (App Translocation), so both commands would soon be gone. */
  readonly isTranslocated?: boolean;
  /** Starts the Postern CLI; its arguments are appended. */
  readonly cli: EntryCommand;
  /** `http://127.0.0.1:PORT/mcp`; `undefined` until a port has been chosen. */
  readonly gatewayUrl: string | undefined;
}

/** Enough to find AI apps and read their files. */
export type AppReader = Omit<AppDependencies, 'servers' | 'pipe' | 'cli' | 'isTranslocated' | 'gatewayUrl'>;

export function newId({ random }: Pick<AppDependencies, 'random'>, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('hex');
}

/** The URL that a server's alias is appended to. */
export function gatewayUrlOf(port: number): string {
  return `http://127.0.0.1:${port}/mcp`;
}

/** What one of our entries points to: a server, or a collection, whose ID and alias are both `+NAME`. */
export type EntryTarget = Pick<Integration, 'id' | 'name' | 'alias'>;

export function asEntryTarget(collection: Collection): EntryTarget {
  const reference = collectionReference(collection);
  return { id: reference, alias: reference, name: titleOf(collection) };
}

export function entryTargets(
  integrations: readonly Integration[],
  collections: readonly Collection[],
): readonly EntryTarget[] {
  return [...integrations, ...collections.map(asEntryTarget)];
}

/** The default name of an entry. */
export function entryNameFor({ id, alias = id }: EntryTarget): string {
  return collectionNameIn(alias) ?? alias;
}
