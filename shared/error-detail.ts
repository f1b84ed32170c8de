import * as z from 'zod/mini';
import { demands } from './oauth.ts';

const text = z.string();

/**
 * What the sentences of errors are filled with; each means the same in every one. Never a secret; names of hosts and
 * scopes aside, never server text. Moments are milliseconds since 1970.
 */
export const detailSchema = z.readonly(
  z.partial(
    z.object({
      // where
      host: text,
      /** The host, with its port where that is not the usual one. */
      place: text,
      proxy: text,
      address: text,
      /** Whose document it is, and which member of it. */
      publisher: text,
      member: text,
      /** Where a redirect leads. */
      target: text,
      /** Where a secret was for. */
      was: text,
      port: z.number(),
      /** The part of a sign-in service that was asked. */
      endpoint: text,
      // what was answered
      status: z.number(),
      /** By RFC 6749; `unknown` stands for whatever no registry has. */
      error: text,
      field: text,
      scopes: z.readonly(z.array(text)),
      scopeAnswer: z.enum(['granted', 'refused']),
      hosts: z.readonly(z.array(text)),
      demand: z.enum(demands),
      /** Of MCP, in nothing but digits, dots and hyphens. */
      revision: text,
      retryAt: z.number(),
      /** The first and the last moment of a certificate. */
      validFrom: z.number(),
      validUntil: z.number(),
      // which one
      name: text,
      program: text,
      collection: text,
      tool: text,
      method: text,
      reference: text,
      meant: text,
      /** The first of them. */
      candidates: z.readonly(z.array(text)),
      count: z.number(),
      entry: text,
      members: z.readonly(z.array(text)),
      // what of it
      kind: text,
      reason: text,
      fault: text,
      part: text,
      /** The name of a header whose value is one to fill in. */
      toFillIn: text,
      /** Names of fixed headers, made fit to be shown. */
      header: text,
      problem: text,
      access: z.enum(['gone', 'lives']),
      work: z.enum(['deletion', 'import']),
      /** It may be otherwise soon. */
      passing: z.boolean(),
      /** The server names the service, and does not publish the document itself. */
      named: z.boolean(),
      /** Access that is bound to no key. */
      unbound: z.boolean(),
      again: z.boolean(),
      // this computer
      file: text,
      folder: text,
      format: text,
      descriptor: z.number(),
      line: z.number(),
      column: z.number(),
      moment: z.number(),
      seconds: z.number(),
      command: text,
      /** It is there, and may not be run. */
      denied: z.boolean(),
      code: z.number(),
      signal: text,
      times: z.number(),
      missing: z.enum(['module', 'build', 'libsecret']),
      /** Names of variables. */
      variables: z.readonly(z.array(text)),
      holder: text,
      process: z.number(),
      /** Names of keychains. */
      from: text,
      to: text,
      /** Sign-ins are kept there already. */
      kept: z.boolean(),
      hidden: z.number(),
      others: z.number(),
      unread: z.number(),
      total: z.number(),
      ofPrograms: z.boolean(),
      unknown: z.boolean(),
      any: z.boolean(),
    }),
  ),
);

/** All that may be known of an error. */
export type CatalogueDetail = z.infer<typeof detailSchema>;
