import * as z from 'zod/mini';

/** Integrations that one program may use: as many as the list is made for. */
export const mostProgramIntegrations = 1_000;

/** The id of a program in the table of programs (`claude-code`). */
export const programIdSchema = z.string().check(z.regex(/^[a-z0-9-]{1,40}$/));

/** On one line. */
export const programNameSchema = z
  .string()
  .check(z.minLength(1), z.maxLength(80), z.regex(/^(?=.*\S)[^\p{C}\u2028\u2029]+$/u));

/** How ids of programs begin that are not in the table, which people have added under a name. */
export const otherPrefix = 'other-';

export function isOtherProgram(program: string): boolean {
  return program.startsWith(otherPrefix);
}

const moment = z.int();
const optionalMoment = z.optional(moment);

/** An AI program that may use integrations, as its entries name it. It tells programs apart and holds no secret. */
export const programRecordSchema = z.strictObject({
  /** 64 random bits in hexadecimal; stands in the program's entries. */
  id: z.string().check(z.regex(/^[a-z0-9]{16}$/)),
  program: programIdSchema,
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  /** Ids of servers, and names of collections behind a `+`, whose members may change. */
  integrations: z
    .array(z.string().check(z.regex(/^(?:[a-z0-9-]{1,64}|\+[a-z0-9-]{1,24})$/)))
    .check(z.maxLength(mostProgramIntegrations)),
  /** Those of `integrations` whose lines the user has yet to paste into the app's configuration. */
  waiting: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(mostProgramIntegrations))),
  /** SHA-256 in hexadecimal of the secret that it shows over HTTP. */
  secretHash: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  /** Milliseconds since 1970, as all moments. */
  createdAt: moment,
  lastUsedAt: optionalMoment,
  /** From then on nothing that it asks for is answered. */
  revokedAt: optionalMoment,
});

export type ProgramRecord = z.infer<typeof programRecordSchema>;

/** Whether it may come over HTTP: it has a secret to show there, and was not revoked. */
export function comesOverHttp({ secretHash, revokedAt }: Pick<ProgramRecord, 'secretHash' | 'revokedAt'>): boolean {
  return secretHash !== undefined && revokedAt === undefined;
}

/** Waiting for the lines of these servers alone, as far as it may use them. */
export function withWaiting({ waiting: _before, ...record }: ProgramRecord, waiting: readonly string[]): ProgramRecord {
  const left = waiting.filter((id) => record.integrations.includes(id));
  return left.length === 0 ? record : { ...record, waiting: left };
}

/**
 * Without the right to use a server, of all programs or of `program`. A record that may use nothing more goes, but for
 * one that was revoked, whose entries may still be about, and for one of a program that is known by nothing else.
 */
export function withoutServer(
  records: readonly ProgramRecord[],
  server: string,
  program?: string,
): readonly ProgramRecord[] {
  const concerned = (record: ProgramRecord): boolean =>
    record.integrations.includes(server) && (program === undefined || record.program === program);
  if (!records.some(concerned)) return records;
  return records
    .map((record) =>
      concerned(record)
        ? withWaiting(
            { ...record, integrations: record.integrations.filter((id) => id !== server) },
            record.waiting ?? [],
          )
        : record,
    )
    .filter(
      ({ integrations, revokedAt, program: of }) =>
        integrations.length > 0 || revokedAt !== undefined || isOtherProgram(of),
    );
}

/** Without the right of any program to use these servers. */
export function withoutServers(
  records: readonly ProgramRecord[],
  servers: readonly string[],
): readonly ProgramRecord[] {
  return servers.reduce((left: readonly ProgramRecord[], server) => withoutServer(left, server), records);
}
