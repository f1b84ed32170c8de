import { createHash } from 'node:crypto';
import { isOtherProgram, otherPrefix, withoutServer, withWaiting } from '../../../shared/program-record.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { ProgramEngine, ProgramsHere } from '../program-engine.ts';
import { commandAndArgs, urlAndHeaders } from '../table/program.ts';
import type { Program } from '../table/program.ts';
import { findProgram, programs } from '../table/table.ts';

type Records = readonly ProgramRecord[];

/** The record that new entries of a program name. */
export function recordOf(records: Records, program: Program): ProgramRecord | undefined {
  return records.find((record) => record.program === program.id && record.revokedAt === undefined);
}

/** With the right of `id` to use `integration`; a record that is not there is made. */
export function withUse(
  records: Records,
  use: { readonly id: string; readonly program: Program; readonly integration: string; readonly now: number },
): Records {
  const { id, program, integration, now } = use;
  if (!records.some((record) => record.id === id))
    return [...records, { id, program: program.id, name: program.name, integrations: [integration], createdAt: now }];
  return records.map((record) =>
    record.id === id && !record.integrations.includes(integration)
      ? { ...record, integrations: [...record.integrations, integration] }
      : record,
  );
}

/** Without it. */
export function withoutUse(records: Records, program: Program, integration: string): Records {
  return withoutServer(records, integration, program.id);
}

/** A server that an entry of ours leads to. */
export interface EnteredServer {
  /** Of the integration or collection. */
  readonly id: string;
  /** An entry that works leads there already. */
  readonly isThere: boolean;
}

/** A program waits for the servers whose lines are to be pasted, and no more for those that are written. */
export function withEntered(
  records: Records,
  { program, servers = [] }: { readonly program: Pick<Program, 'id'>; readonly servers?: readonly EnteredServer[] },
  isPasted: boolean,
): Records {
  if (servers.length === 0) return records;
  const entered = new Set(servers.map(({ id }) => id));
  const pasted = isPasted ? servers.filter(({ isThere }) => !isThere).map(({ id }) => id) : [];
  return records.map((record) =>
    record.program === program.id && record.revokedAt === undefined
      ? withWaiting(record, [...(record.waiting ?? []).filter((id) => !entered.has(id)), ...pasted])
      : record,
  );
}

/** Ids of what a program uses, and of what it may use once the user has pasted the lines. */
export function usesOf(records: Records, { id }: Pick<Program, 'id'>) {
  const own = records.filter(({ program, revokedAt }) => program === id && revokedAt === undefined);
  const uses = new Set(
    own.flatMap(({ integrations, waiting }) => integrations.filter((each) => !waiting?.includes(each))),
  );
  const waiting = new Set(own.flatMap((record) => record.waiting ?? []).filter((each) => !uses.has(each)));
  return { uses: [...uses], waiting: [...waiting] };
}

/** What becomes of the rights of a program: it may use another server, or one less. */
export type RightChange = 'given' | 'ended';

/** `undefined`: it may use what it might before. */
export function rightChange(before: Records, after: Records, { id }: Pick<Program, 'id'>): RightChange | undefined {
  const usedIn = (records: Records): readonly string[] =>
    records
      .filter(({ program, revokedAt }) => program === id && revokedAt === undefined)
      .flatMap(({ integrations }) => integrations);
  const [old, now] = [usedIn(before), usedIn(after)];
  if (now.some((each) => !old.includes(each))) return 'given';
  return old.some((each) => !now.includes(each)) ? 'ended' : undefined;
}

/** Of the program all that were there at `now`; one that it got since is another yes. */
function withRevoked(records: Records, program: Pick<Program, 'id'>, now: number): Records {
  return records.map((record) =>
    record.program === program.id && record.revokedAt === undefined && record.createdAt <= now
      ? { ...record, revokedAt: now }
      : record,
  );
}

/** Milliseconds since 1970; `undefined`: none of them was used. */
export function lastUseOf(records: Records): number | undefined {
  const moments = records.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return moments.length === 0 ? undefined : Math.max(...moments);
}

/**
 * From now on nothing that the program asks for is answered. Answers its records that are revoked. Errors: CFG_*.
 */
export async function revokeProgram(
  { records, locks, clock }: Pick<ProgramEngine, 'records' | 'locks' | 'clock'>,
  program: Pick<Program, 'id'>,
): Promise<readonly ProgramRecord[]> {
  const now = clock.now();
  const revoke = (): Promise<readonly ProgramRecord[]> => records.change((before) => withRevoked(before, program, now));
  await revoke();
  // A change that is under way meanwhile puts back the rights of before where it fails.
  const after = await locks.hold('programs', revoke);
  return after.filter((record) => record.program === program.id && record.revokedAt === now);
}

/** Of an id, beside its beginning. */
const longestName = 30;

/**
 * A program that is not in the table, under the name that a person gives it: where it keeps its servers only they know,
 * so they paste its entries, in the way that most programs write them. One name is one program.
 */
export function otherProgram(name: string, id = idOf(name)): Program {
  return {
    id,
    name,
    files: { darwin: [], win32: [], linux: [] },
    format: 'json',
    list: 'mcpServers',
    trailingCommas: false,
    stdio: commandAndArgs,
    http: { type: 'http', ...urlAndHeaders },
    nameRule: 'any',
    whenAbsent: 'paste',
    notice: 'restart',
    provenBy: 'what the person says',
  };
}

/** Those that may use Postern, in the order in which they came. */
function otherPrograms(records: readonly ProgramRecord[]): readonly Program[] {
  const own = records.filter(({ program, revokedAt }) => isOtherProgram(program) && revokedAt === undefined);
  return [...new Map(own.map((record) => [record.program, otherProgram(record.name, record.program)])).values()];
}

/** All of the table, and those. Errors: CFG_*. */
export async function knownPrograms({
  records,
}: {
  readonly records: Pick<ProgramsHere['records'], 'list'>;
}): Promise<readonly Program[]> {
  return [...programs, ...otherPrograms(await records.list())];
}

/** As `findProgram`, of those too that people have added. */
export function findKnown(word: string, records: readonly ProgramRecord[]): Program | undefined {
  const other = otherProgram(word);
  return findProgram(word) ?? otherPrograms(records).find(({ id }) => [word.toLowerCase(), other.id].includes(id));
}

/** What a program is called that has this id. */
export function programName(id: string, records: readonly ProgramRecord[]): string | undefined {
  return findProgram(id)?.name ?? records.find(({ program }) => program === id)?.name;
}

/** Letters that an id cannot have are told apart by a hash. */
function idOf(name: string): string {
  const bare = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
  const hash = createHash('sha256').update(name.normalize('NFC').toLowerCase()).digest('hex').slice(0, 8);
  const isWhole = bare !== '' && bare.length <= longestName && /^[\x20-\x7e]+$/u.test(name);
  return `${otherPrefix}${isWhole ? bare : [bare.slice(0, 20).replace(/-$/u, ''), hash].filter(Boolean).join('-')}`;
}
