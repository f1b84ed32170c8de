import * as z from 'zod/mini';
import { demands } from './oauth.ts';

const text = z.string();

/**
 * The facts in error messages; each means the same in every message. Never a secret, and never server text except names
 * of hosts and scopes. Times are milliseconds since 1970.
 */
export const detailSchema = z.readonly(
  z.partial(
    z.object({
      // Where
      host: text,
      /** The host, with its port if it is not the default. */
      place: text,
      proxy: text,
      address: text,
      /** The document's publisher, and the member in it. */
      publisher: text,
      member: text,
      /** The target of a redirect. */
      target: text,
      /** The address that a secret belongs to. */
      was: text,
      port: z.number(),
      /** The requested endpoint of a sign-in service. */
      endpoint: text,
      // The response
      status: z.number(),
      /** An OAuth error code (RFC 6749); `unknown` for any unregistered one. */
      error: text,
      field: text,
      scopes: z.readonly(z.array(text)),
      scopeAnswer: z.enum(['granted', 'refused']),
      hosts: z.readonly(z.array(text)),
      demand: z.enum(demands),
      /** The MCP protocol revision; only digits, dots and hyphens. */
      revision: text,
      retryAt: z.number(),
      /** The validity period of a certificate. */
      validFrom: z.number(),
      validUntil: z.number(),
      // Which one
      name: text,
      app: text,
      collection: text,
      tool: text,
      method: text,
      reference: text,
      meant: text,
      /** The first few. */
      candidates: z.readonly(z.array(text)),
      count: z.number(),
      entry: text,
      members: z.readonly(z.array(text)),
      // What about it
      kind: text,
      reason: text,
      fault: text,
      part: text,
      /** The name of a header whose value is a placeholder. */
      toFillIn: text,
      /** Names of fixed headers, sanitized for display. */
      header: text,
      problem: text,
      access: z.enum(['gone', 'lives']),
      work: z.enum(['deletion', 'import', 'oauthApp']),
      /** The problem is temporary. */
      passing: z.boolean(),
      /** The server names the service instead of publishing the document itself. */
      named: z.boolean(),
      /** The token is not bound to a key. */
      unbound: z.boolean(),
      again: z.boolean(),
      // This computer
      file: text,
      folder: text,
      format: text,
      descriptor: z.number(),
      line: z.number(),
      column: z.number(),
      moment: z.number(),
      seconds: z.number(),
      command: text,
      /** It exists but is not executable. */
      denied: z.boolean(),
      code: z.number(),
      signal: text,
      times: z.number(),
      missing: z.enum(['module', 'build', 'libsecret']),
      /** Names of environment variables. */
      variables: z.readonly(z.array(text)),
      holder: text,
      process: z.number(),
      /** Names of keychains. */
      from: text,
      to: text,
      /** Sign-ins are already stored there. */
      hasSignIns: z.boolean(),
      hidden: z.number(),
      others: z.number(),
      unreadable: z.number(),
      total: z.number(),
      ofApps: z.boolean(),
      unknown: z.boolean(),
      any: z.boolean(),
    }),
  ),
);

/** All facts that an error may have. */
export type CatalogDetail = z.infer<typeof detailSchema>;
