import { withoutServer, withWaiting } from '../../../shared/program-record.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { ProgramEngine } from '../program-engine.ts';
import type { Program } from '../table/program.ts';

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
