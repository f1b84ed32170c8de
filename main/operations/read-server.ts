import type { Integration } from '../../shared/integration.ts';
import { usedServers } from '../apps/program-engine.ts';
import type { UsedServer } from '../apps/program-engine.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { Collections } from '../gateway-ports.ts';
import type { IntegrationStore } from '../ports.ts';

/** The server that a window names. Errors: NOT_FOUND, CFG_*. */
export async function readServer(
  { store }: { readonly store: Pick<IntegrationStore, 'read'> },
  id: string,
): Promise<Integration> {
  return (await store.read(id)) ?? notFound();
}

/** Several, in the order in which they are named. Errors: as of one. */
export async function readServers(
  { store }: { readonly store: Pick<IntegrationStore, 'list'> },
  ids: readonly string[],
): Promise<readonly Integration[]> {
  const byId = new Map((await store.list()).map((integration) => [integration.id, integration]));
  return ids.map((id) => byId.get(id) ?? notFound());
}

export interface UsedLists {
  readonly ports: { readonly store: Pick<IntegrationStore, 'list'> };
  readonly collections: Pick<Collections, 'list'>;
}

/** All that entries of programs may lead to. Errors: CFG_*. */
export async function allUsed({ ports, collections }: UsedLists): Promise<readonly UsedServer[]> {
  return usedServers(await ports.store.list(), await collections.list());
}

/** Servers and collections, in the order in which they are named. Errors: NOT_FOUND, CFG_*. */
export async function readUsed(lists: UsedLists, ids: readonly string[]): Promise<readonly UsedServer[]> {
  const byId = new Map((await allUsed(lists)).map((used) => [used.id, used]));
  return ids.map((id) => byId.get(id) ?? notFound());
}

function notFound(): never {
  throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
}
