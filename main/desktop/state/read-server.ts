import type { Integration } from '../../../shared/integration.ts';
import type { IntegrationStore } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';

/** The server that a window names. Errors: NOT_FOUND, CFG_*. */
export async function readServer(
  { store }: { readonly store: Pick<IntegrationStore, 'read'> },
  id: string,
): Promise<Integration> {
  const integration = await store.read(id);
  if (!integration) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
  return integration;
}
