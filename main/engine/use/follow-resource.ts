import { createHash } from 'node:crypto';
import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { ResourceContents } from './browse-server.ts';
import { followChanges } from './follow-changes.ts';
import type { Follower } from './follow-changes.ts';
import type { Access } from './use-server.ts';

/**
 * Shows a resource as it is now, and shows it anew each time that its server says that it was updated, until
 * `access.signal` aborts. After a connection that ended it is shown where it is another one by now. Errors:
 * NO_SUBSCRIPTIONS where the server says no such thing, else as `listTools`.
 */
export async function followResource(
  ports: EnginePorts,
  integration: Integration,
  uri: string,
  access: Access,
  follower: Pick<Follower, 'broke'> & { readonly show: (contents: readonly ResourceContents[]) => Promise<void> },
): Promise<void> {
  let shown: string | undefined;
  const says = await followChanges(ports, integration, { resource: uri }, access, {
    broke: follower.broke,
    async read({ client }, occasion, signal) {
      const { contents } = await client.readResource({ uri }, { signal, cacheMode: 'bypass' });
      const digest = createHash('sha256').update(JSON.stringify(contents)).digest('base64');
      if (digest === shown && occasion === 'again') return;
      shown = digest;
      await follower.show(contents);
    },
  });
  if (says) return;
  const { host } = new URL(integration.url);
  throw new PosternError('NO_SUBSCRIPTIONS', { stage: 'connection', detail: { host } });
}
