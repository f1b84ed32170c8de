import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import type { HttpRequest } from '../../../../../main/ports.ts';
import { openIconStore } from '../../../../../main/storage/profile/icon-store.ts';
import type { IconStore } from '../../../../../main/window-ports.ts';
import { ServerIcons } from '../../../../../main/window/icons/server-icons.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { localOptions } from '../../../../support/local-options.ts';
import { aPng } from '../../../../support/pictures.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const one = { url: asChecked('https://one.example/mcp'), options: localOptions };
const other = { url: asChecked('https://other.example/mcp'), options: localOptions };
const inside = (side: number) => [{ src: `data:image/png;base64,${aPng(side, side).toString('base64')}` }];

/** Icons of these servers; each write waits until the test releases it, and no request is answered. */
function createIcons(...listed: readonly (typeof one)[]) {
  const folder = temporaryFolder();
  const iconStore = openIconStore(folder);
  const servers = new Set<string>(listed.map(({ url }) => url));
  const writes: PromiseWithResolvers<void>[] = [];
  const requests: HttpRequest[] = [];
  const onChange = vi.fn<() => void>();
  const held: IconStore = {
    ...iconStore,
    async write(...args) {
      const gate = Promise.withResolvers<void>();
      writes.push(gate);
      await gate.promise;
      await iconStore.write(...args);
    },
  };
  const icons = new ServerIcons({
    clock: { now: () => 1_790_000_000_000 },
    log: { write: () => {} },
    http: {
      exchange: async (request) => {
        requests.push(request);
        const { promise, reject } = Promise.withResolvers<never>();
        request.signal?.addEventListener('abort', () =>
          reject(new PosternError('USER_CANCELLED', { stage: 'connection' })),
        );
        return await promise;
      },
    },
    store: held,
    list: {
      list: async () => [...servers].map((url) => anIntegration({ url: asChecked(url) })),
      pendingDeletions: async () => [],
      isListComplete: async () => true,
    },
    onChange,
  });
  const written = async (count: number): Promise<void> => await vi.waitFor(() => expect(writes).toHaveLength(count));
  const changed = async (count: number): Promise<void> =>
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(count));
  return { folder, iconStore, servers, writes, requests, icons, written, changed };
}

describe('server icons', () => {
  it('are all stored if several arrive together', async () => {
    const { icons, writes, written, changed } = createIcons(one, other);
    icons.onServerInfo(one, inside(16));
    icons.onServerInfo(other, inside(32));
    await written(2);
    writes[0]?.resolve();
    await changed(1);
    writes[1]?.resolve();
    await changed(2);
    expect([icons.of(one.url), icons.of(other.url)]).not.toContain(undefined);
  });

  it('stay deleted if a server is removed while its icon is written', async () => {
    const { icons, iconStore, servers, writes, written } = createIcons(one, other);
    icons.onServerInfo(one, inside(16));
    await written(1);
    servers.delete(one.url);
    const removal = icons.removeUnlisted();
    writes[0]?.resolve();
    await removal;
    expect(icons.of(one.url)).toBeUndefined();
    expect((await iconStore.list()).size).toBe(0);
  });

  it('are no longer requested once the server is removed, and requested again when it is back', async () => {
    const { icons, servers, requests, folder } = createIcons(one);
    const named = [{ src: 'https://one.example/i.png' }];
    icons.onServerInfo(one, named);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    servers.delete(one.url);
    await icons.removeUnlisted();
    expect(requests[0]?.signal?.aborted).toBe(true);
    expect(existsSync(join(folder, 'icons'))).toBe(false);
    servers.add(one.url);
    icons.onServerInfo(one, named);
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    await icons.end();
    expect(requests[1]?.signal?.aborted).toBe(true);
  });

  it('are written only for listed servers', async () => {
    const { icons, servers, writes, written } = createIcons(one);
    icons.onServerInfo(other, inside(16));
    icons.onServerInfo(one, inside(16));
    await written(1);
    servers.add(other.url);
    icons.onServerInfo(other, inside(16));
    await written(2);
    for (const { resolve } of writes) resolve();
    await icons.end();
    expect([icons.of(one.url), icons.of(other.url)]).not.toContain(undefined);
  });
});
