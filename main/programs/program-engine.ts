import type { ProgramRecords } from '../gateway-ports.ts';
import type { Clock, Locks, Random } from '../ports.ts';
import type { ProgramBackups, ProgramFiles } from '../program-ports.ts';
import type { Surroundings } from './table/surroundings.ts';

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
export type ProgramsHere = Omit<ProgramEngine, 'pipe' | 'own' | 'isTranslocated' | 'gatewayUrl'>;

export function newId({ random }: Pick<ProgramEngine, 'random'>, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('hex');
}

/** Where programs reach Postern over HTTP: an alias follows. */
export function gatewayUrlOf(port: number): string {
  return `http://127.0.0.1:${port}/mcp`;
}
