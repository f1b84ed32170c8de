import * as z from 'zod';
import { urlLength } from '../../limits.ts';

/** Bounds of one search of the MCP registry; `kept`: pages of answers, for `fresh` milliseconds without a question. */
export const registrySearch = {
  words: 80,
  pages: 3,
  pageSize: 100,
  shown: 50,
  bodyBytes: 1_048_576,
  /** Milliseconds over all its pages. */
  deadline: 15_000,
  kept: 30,
  fresh: 3_600_000,
  cursor: 1_024,
  etag: 256,
} as const;

/** Of one entry of it: addresses, what is to be filled in, values to choose from; characters of each text. */
export const registryEntry = { name: 200, remotes: 6, blanks: 8, choices: 40, headers: 8, text: 240 } as const;

/** A text that may be missing, and does not spoil its entry where it is something else. */
const text = z.string().optional().catch(undefined);
const truth = z.boolean().optional().catch(undefined);
const list = z.array(z.unknown()).catch([]);

/** What a person fills in: a part of an address, or the value of a header. */
const inputSchema = z.object({
  name: text,
  description: text,
  isRequired: truth,
  isSecret: truth,
  value: text,
  default: text,
  choices: list,
});

const remoteSchema = z.object({
  type: z.string(),
  url: z.string().max(urlLength.received),
  headers: list,
  variables: z.record(z.string(), z.unknown()).catch({}),
});

/** A name is a reversed domain with one slash, in ASCII (server.json, 2025-12-11). */
const name = z
  .string()
  .max(registryEntry.name)
  .regex(/^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/u);

const official = 'io.modelcontextprotocol.registry/official';
const publishedSchema = z.object({ status: text, isLatest: truth });

const entrySchema = z.object({
  server: z.object({ name, title: text, description: text, remotes: list }),
  /** Not every registry has it. */
  _meta: z
    .object({ [official]: publishedSchema.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

const pageSchema = z.object({
  servers: z.array(z.unknown()),
  metadata: z
    .object({ nextCursor: z.string().max(registrySearch.cursor).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

export type PublishedServer = z.infer<typeof entrySchema>['server'];
export type PublishedRemote = z.infer<typeof remoteSchema>;
export type PublishedInput = z.infer<typeof inputSchema>;

export interface RegistryPage {
  readonly servers: readonly PublishedServer[];
  readonly nextCursor?: string;
}

/**
 * One page of the list of servers (API v0.1). What one publisher put into an entry spoils that entry alone; deleted
 * and earlier versions are left out. `undefined`: this is no such page.
 */
export function readPage(body: Uint8Array): RegistryPage | undefined {
  const page = pageSchema.safeParse(parseText(body));
  if (!page.success) return undefined;
  const entries = page.data.servers.slice(0, registrySearch.pageSize).flatMap((each) => {
    const entry = entrySchema.safeParse(each);
    return entry.success ? [entry.data] : [];
  });
  const nextCursor = page.data.metadata?.nextCursor;
  return { servers: entries.filter(isCurrent).map(({ server }) => server), ...(nextCursor && { nextCursor }) };
}

export const readRemote = (value: unknown): PublishedRemote | undefined => remoteSchema.safeParse(value).data;
export const readInput = (value: unknown): PublishedInput | undefined => inputSchema.safeParse(value).data;

function isCurrent({ _meta }: z.infer<typeof entrySchema>): boolean {
  const { status = 'active', isLatest = true } = _meta?.[official] ?? {};
  return status === 'active' && isLatest;
}

/** Depth needs no bound: what no schema names is not walked. */
function parseText(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
