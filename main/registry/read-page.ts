import * as z from 'zod';
import { urlLength } from '../limits.ts';
import { registryEntry, registrySearch } from './registry-bounds.ts';

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
