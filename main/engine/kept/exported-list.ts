import * as z from 'zod/mini';
import { collectionSchema } from '../../../shared/collection.ts';
import type { Collection } from '../../../shared/collection.ts';
import { mostCollections, mostMembers } from '../../../shared/entry-name.ts';
import { integrationOptionsSchema } from '../../../shared/integration.ts';
import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import { parseInput } from '../../address/parse-address.ts';
import { defaultOptions } from './integration-policy.ts';

/** The integration list as a file for another computer: addresses and choices, no secret, no sign-in. */
const exportSchema = z.object({
  format: z.literal('postern-integrations'),
  version: z.literal(1),
  integrations: z.array(z.unknown()).check(z.maxLength(10_000)),
  collections: z.optional(z.array(z.unknown()).check(z.maxLength(mostCollections))),
});

/** Its members are names of the file: ids are of one computer. */
const exportedCollectionSchema = z.extend(collectionSchema, {
  members: z.array(z.string().check(z.maxLength(80))).check(z.maxLength(mostMembers)),
});

export type ExportedCollection = z.infer<typeof exportedCollectionSchema>;

const exportedSchema = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
  url: z.string().check(z.maxLength(2_048)),
  method: z.enum(['NoAuth', 'OAuth', 'OAuthWithDCR', 'OAuthWithCIMD']),
  options: integrationOptionsSchema,
});

export type ExportedIntegration = z.infer<typeof exportedSchema> & {
  /** Endpoints and permissions that the file has for it, and that are not taken from there. */
  readonly leftOut: number;
};

/** An address as it is exported: a query often is a key, so it stays here. */
export function exportedAddress(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  url.search = '';
  return url.href;
}

/** Whether it can be of use on another computer: a command is of this one, and a secret may stand among its words. */
export function isExported({ command }: Pick<Integration, 'command'>): boolean {
  return command === undefined;
}

export function renderExport(integrations: readonly Integration[], collections: readonly Collection[] = []): string {
  const exported = integrations.filter(isExported);
  const entries = exported.map(({ name, url, method, options }) => ({
    name,
    url: exportedAddress(url),
    method,
    options,
  }));
  const chosen = collections.map((collection) => ({
    ...collection,
    members: collection.members.flatMap((member) => exported.find(({ id }) => id === member)?.name ?? []),
  }));
  const document = {
    format: 'postern-integrations',
    version: 1,
    integrations: entries,
    ...(chosen.length > 0 && { collections: chosen }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** An entry that does not fit: where it is in the file, and what of it. */
export interface UnreadPart {
  readonly list: 'integrations' | 'collections';
  /** From 0. */
  readonly index: number;
  readonly name?: string;
  /** Such as `options.scope`; absent: it is no entry at all. */
  readonly member?: string;
}

interface ExportedList {
  readonly entries: readonly ExportedIntegration[];
  readonly collections: readonly ExportedCollection[];
  readonly unread: readonly UnreadPart[];
}

/** What `renderExport` made, entry by entry; one without a usable address is unread. `undefined`: it is no such file. */
export function readExport(text: string): ExportedList | undefined {
  const json = parseJson(text.replace(/^\uFEFF/u, ''));
  // As `postern export --json` prints it.
  const answer = z.object({ result: z.literal('ok'), list: z.unknown() }).safeParse(json);
  const parsed = exportSchema.safeParse(answer.success ? answer.data.list : json);
  if (!parsed.success) return undefined;
  const unread: UnreadPart[] = [];
  const entries = readEach('integrations', exportedSchema, parsed.data.integrations, unread).flatMap(
    ([index, entry]) => {
      const url = canonicalAddress(entry.url);
      if (url !== undefined) return [{ ...entry, url, ...importableOptions(entry.options) }];
      unread.push({ list: 'integrations', index, name: entry.name, member: 'url' });
      return [];
    },
  );
  unread.sort((one, other) => one.index - other.index);
  const collections = readEach('collections', exportedCollectionSchema, parsed.data.collections ?? [], unread);
  return { entries, collections: collections.map(([, collection]) => collection), unread };
}

/** Those that fit, with their places; the others are noted. */
function readEach<Value>(
  list: UnreadPart['list'],
  schema: z.ZodMiniType<Value>,
  values: readonly unknown[],
  unread: UnreadPart[],
): (readonly [index: number, value: Value])[] {
  return values.flatMap((value, index) => {
    const { data, error } = schema.safeParse(value);
    if (data !== undefined) return [[index, data] as const];
    const { data: named } = z.object({ name: z.string() }).safeParse(value);
    const [issue] = error?.issues ?? [];
    const path = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
    unread.push({
      list,
      index,
      ...(named && { name: named.name }),
      ...(path.length > 0 && { member: path.map(String).join('.') }),
    });
    return [];
  });
}

/** `undefined`: it is none. */
function canonicalAddress(text: string): string | undefined {
  try {
    return parseInput(text).href;
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What an imported list may choose for a server. Where secrets go, and which hosts may be reached how, is for the
 * person at this computer alone: typed endpoints and permissions of the file are left out, and counted, since whoever
 * made the file would otherwise decide where a sign-in's code and tokens are sent.
 */
function importableOptions(options: IntegrationOptions): { options: IntegrationOptions; leftOut: number } {
  const { scope, pkce, headerName, furtherHeaders, authorizationServer, signInSurface, callbackHost } = options;
  const { pushRequests, clientAuthentication, isIdentityProvider } = options;
  // An authorization server is one of those that the server itself names, or of no effect.
  const taken = defaultOptions({
    ...{ scope, pkce, headerName, furtherHeaders, authorizationServer, signInSurface, callbackHost },
    ...{ pushRequests, clientAuthentication, isIdentityProvider },
  });
  const { local, allowedHosts, agreedHosts = [], allowHttp, legacyEndpoints } = options;
  const { sendResource, clientMetadataUrl, endpoints, grant, assertionFile, identityProvider } = options;
  const loosened = [
    local,
    allowedHosts.length > 0,
    agreedHosts.length > 0,
    allowHttp,
    legacyEndpoints,
    !sendResource,
    clientMetadataUrl !== undefined,
    endpoints !== undefined,
    // Files and ids are of the other computer.
    grant !== undefined || assertionFile !== undefined || identityProvider !== undefined,
  ];
  return { options: taken, leftOut: loosened.filter(Boolean).length };
}
