import * as z from 'zod/mini';
import { collectionSchema } from '../../../shared/collection.ts';
import type { Collection } from '../../../shared/collection.ts';
import { maxCollections, maxCollectionMembers } from '../../../shared/entry-name.ts';
import { integrationOptionsSchema } from '../../../shared/integration.ts';
import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import { parseInput } from '../../address/parse-address.ts';
import { withDefaultOptions } from './integration-policy.ts';

/** Export file of the list for another computer: addresses and options, no secret, no sign-in. */
const exportSchema = z.object({
  format: z.literal('postern-integrations'),
  version: z.literal(1),
  integrations: z.array(z.unknown()).check(z.maxLength(10_000)),
  collections: z.optional(z.array(z.unknown()).check(z.maxLength(maxCollections))),
});

/** Members are names in the file, since IDs are local to one computer. */
const exportedCollectionSchema = z.extend(collectionSchema(), {
  members: z.array(z.string().check(z.maxLength(80))).check(z.maxLength(maxCollectionMembers)),
});

export type ExportedCollection = z.infer<typeof exportedCollectionSchema>;

const exportedSchema = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
  url: z.string().check(z.maxLength(2_048)),
  method: z.enum(['NoAuth', 'OAuth', 'OAuthWithDCR', 'OAuthWithCIMD']),
  options: integrationOptionsSchema,
});

export type ExportedIntegration = z.infer<typeof exportedSchema> & {
  /** Number of endpoints and permissions that are not imported. */
  readonly leftOut: number;
};

/** An address for export, without its query, which often contains a key. */
export function exportedAddress(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  url.search = '';
  return url.href;
}

/** False for a command: it is specific to this computer, and its words may contain a secret. */
export function isExportable({ command }: Pick<Integration, 'command'>): boolean {
  return command === undefined;
}

export function renderExport(integrations: readonly Integration[], collections: readonly Collection[] = []): string {
  const exported = integrations.filter(isExportable);
  const entries = exported.map(({ name, url, method, options }) => ({
    name,
    url: exportedAddress(url),
    method,
    options,
  }));
  const exportedCollections = collections.map((collection) => ({
    ...collection,
    members: collection.members.flatMap((member) => exported.find(({ id }) => id === member)?.name ?? []),
  }));
  const document = {
    format: 'postern-integrations',
    version: 1,
    integrations: entries,
    ...(exportedCollections.length > 0 && { collections: exportedCollections }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** An invalid entry: where it is in the file, and which member is wrong. */
export interface UnreadablePart {
  readonly list: 'integrations' | 'collections';
  /** From 0. */
  readonly index: number;
  readonly name?: string;
  /** Such as `options.scope`; absent: the entry itself is invalid. */
  readonly member?: string;
}

interface ExportedList {
  readonly entries: readonly ExportedIntegration[];
  readonly collections: readonly ExportedCollection[];
  readonly unreadable: readonly UnreadablePart[];
}

/**
 * Parses a file of `renderExport` entry by entry; an entry without a usable address is unreadable. `undefined`: not such a
 * file.
 */
export function readExport(text: string): ExportedList | undefined {
  const json = parseJson(text.replace(/^\uFEFF/u, ''));
  // Also accepts the output of `postern export --json`.
  const wrapped = z.object({ result: z.literal('ok'), list: z.unknown() }).safeParse(json);
  const parsed = exportSchema.safeParse(wrapped.success ? wrapped.data.list : json);
  if (!parsed.success) return undefined;
  const unreadable: UnreadablePart[] = [];
  const entries = readEach('integrations', exportedSchema, parsed.data.integrations, unreadable).flatMap(
    ([index, entry]) => {
      const url = canonicalAddress(entry.url);
      if (url !== undefined) return [{ ...entry, url, ...importableOptions(entry.options) }];
      unreadable.push({ list: 'integrations', index, name: entry.name, member: 'url' });
      return [];
    },
  );
  unreadable.sort((one, other) => one.index - other.index);
  const collections = readEach('collections', exportedCollectionSchema, parsed.data.collections ?? [], unreadable);
  return { entries, collections: collections.map(([, collection]) => collection), unreadable };
}

/** Valid entries with their indexes; the others are added to `unreadable`. */
function readEach<Value>(
  list: UnreadablePart['list'],
  schema: z.ZodMiniType<Value>,
  values: readonly unknown[],
  unreadable: UnreadablePart[],
): (readonly [index: number, value: Value])[] {
  return values.flatMap((value, index) => {
    const { data, error } = schema.safeParse(value);
    if (data !== undefined) return [[index, data] as const];
    const { data: named } = z.object({ name: z.string() }).safeParse(value);
    const [issue] = error?.issues ?? [];
    const path = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
    unreadable.push({
      list,
      index,
      ...(named && { name: named.name }),
      ...(path.length > 0 && { member: path.map(String).join('.') }),
    });
    return [];
  });
}

/** `undefined`: not a valid address. */
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
 * Options that an imported list may set. Where secrets go, and which hosts may be reached how, is only for this
 * computer's user: typed endpoints and permissions are left out and counted, since otherwise the file's author would
 * decide where the code and tokens of a sign-in are sent.
 */
function importableOptions(options: IntegrationOptions): { options: IntegrationOptions; leftOut: number } {
  const { scope, pkce, headerName, furtherHeaders, authorizationServer, signInSurface, callbackHost } = options;
  const { pushRequests, clientAuthentication, isIdentityProvider } = options;
  // An authorization server only has an effect if the MCP server names it.
  const imported = withDefaultOptions({
    ...{ scope, pkce, headerName, furtherHeaders, authorizationServer, signInSurface, callbackHost },
    ...{ pushRequests, clientAuthentication, isIdentityProvider },
  });
  const { local, allowedHosts, agreedHosts = [], allowHttp, legacyEndpoints } = options;
  const { sendResource, clientMetadataUrl, endpoints, grant, assertionFile, identityProvider } = options;
  const ignored = [
    local,
    allowedHosts.length > 0,
    agreedHosts.length > 0,
    allowHttp,
    legacyEndpoints,
    !sendResource,
    clientMetadataUrl !== undefined,
    endpoints !== undefined,
    // Files and IDs belong to the other computer.
    grant !== undefined || assertionFile !== undefined || identityProvider !== undefined,
  ];
  return { options: imported, leftOut: ignored.filter(Boolean).length };
}
