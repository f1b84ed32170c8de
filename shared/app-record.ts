import * as z from 'zod/mini';
import { lazy } from './lazy.ts';

/** Integrations that one app may use: the maximum size of the list. */
export const maxAppIntegrations = 1_000;

/** An app's id in the table of apps (`claude-code`). */
export const appIdSchema = z.string().check(z.regex(/^[a-z0-9-]{1,40}$/));

/** A single line. */
export const appNameSchema = lazy(() =>
  z.string().check(z.minLength(1), z.maxLength(80), z.regex(/^(?=.*\S)[^\p{C}\u2028\u2029]+$/u)),
);

/** Id prefix of apps that are not in the table and that users added under a name. */
export const otherPrefix = 'other-';

export function isOtherApp(app: string): boolean {
  return app.startsWith(otherPrefix);
}

/** An AI app that may use integrations, as its entries name it. It identifies apps and contains no secret. */
export const appRecordSchema = lazy(() => {
  const moment = z.int();
  const someIntegrations = z.optional(
    z.array(z.string().check(z.maxLength(64))).check(z.maxLength(maxAppIntegrations)),
  );
  const optionalMoment = z.optional(moment);
  return z.strictObject({
    /** 64 random bits in hex, contained in the app's entries. */
    id: z.string().check(z.regex(/^[a-z0-9]{16}$/)),
    app: appIdSchema,
    name: z.string().check(z.minLength(1), z.maxLength(80)),
    /** Ids of servers, and `+` with the name of a collection, whose members may change. */
    integrations: z
      .array(z.string().check(z.regex(/^(?:[a-z0-9-]{1,64}|\+[a-z0-9-]{1,24})$/)))
      .check(z.maxLength(maxAppIntegrations)),
    /** Those of `integrations` without an entry in the app's files, as of the last check, and without a call since. */
    waiting: someIntegrations,
    /** Those that calls come from although no known file has their entry. */
    called: someIntegrations,
    /** Hex SHA-256 of the secret that it presents over HTTP. */
    secretHash: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
    /** Milliseconds since 1970, like all moments. */
    createdAt: moment,
    lastUsedAt: optionalMoment,
    /** From then on its requests are refused. */
    revokedAt: optionalMoment,
  });
});

export type AppRecord = z.infer<ReturnType<typeof appRecordSchema>>;

/** Whether it may connect over HTTP: it has a secret and is not revoked. */
export function canConnectOverHttp({ secretHash, revokedAt }: Pick<AppRecord, 'secretHash' | 'revokedAt'>): boolean {
  return secretHash !== undefined && revokedAt === undefined;
}

/**
 * The record with only these servers waiting for their entry, and only these known from calls alone, if it may use
 * them.
 */
export function withWaiting(
  { waiting: _waiting, called: before = [], ...record }: AppRecord,
  waiting: readonly string[],
  called: readonly string[] = before,
): AppRecord {
  const remaining = waiting.filter((id) => record.integrations.includes(id));
  const known = new Set(called.filter((id) => record.integrations.includes(id) && !remaining.includes(id)));
  return {
    ...record,
    ...(remaining.length > 0 && { waiting: remaining }),
    ...(known.size > 0 && { called: [...known] }),
  };
}

/**
 * Removes the right to use a server, from all apps or from `app`. A record without any servers goes too, unless it was
 * revoked, since its entries may still exist, or belongs to an app that is known only by its record.
 */
export function withoutServer(records: readonly AppRecord[], server: string, app?: string): readonly AppRecord[] {
  const isAffected = (record: AppRecord): boolean =>
    record.integrations.includes(server) && (app === undefined || record.app === app);
  if (!records.some(isAffected)) return records;
  return records
    .map((record) =>
      isAffected(record)
        ? withWaiting(
            { ...record, integrations: record.integrations.filter((id) => id !== server) },
            record.waiting ?? [],
          )
        : record,
    )
    .filter(
      ({ integrations, revokedAt, app: of }) => integrations.length > 0 || revokedAt !== undefined || isOtherApp(of),
    );
}

/** Removes every app's right to use these servers. */
export function withoutServers(records: readonly AppRecord[], servers: readonly string[]): readonly AppRecord[] {
  return servers.reduce((remaining: readonly AppRecord[], server) => withoutServer(remaining, server), records);
}
