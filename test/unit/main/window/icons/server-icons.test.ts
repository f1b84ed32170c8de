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

/** Pictures of these servers; each write, and each answer of a server, waits until it is let go. */
function createIcons(...listed: readonly (typeof one)[]) {
  const folder = temporaryFolder();
  const pictures = openIconStore(folder);
  const servers = new Set<string>(listed.map(({ url }) => url));
  const writes: PromiseWithResolvers<void>[] = [];
  const requests: HttpRequest[] = [];
  const onChange = vi.fn<() => void>();
  const held: IconStore = {
    ...pictures,
    async write(...args) {
      const gate = Promise.withResolvers<void>();
      writes.push(gate);
      await gate.promise;
      await pictures.write(...args);
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
      listIsWhole: async () => true,
    },
    onChange,
  });
  const written = async (count: number): Promise<void> => await vi.waitFor(() => expect(writes).toHaveLength(count));
  const changed = async (count: number): Promise<void> =>
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(count));
  return { folder, pictures, servers, writes, requests, icons, written, changed };
}

describe('the pictures of servers', () => {
  it('are all known where several come together', async () => {
    const { icons, writes, written, changed } = createIcons(one, other);
    icons.greeted(one, inside(16));
    icons.greeted(other, inside(32));
    await written(2);
    writes[0]?.resolve();
    await changed(1);
    writes[1]?.resolve();
    await changed(2);
    expect([icons.of(one.url), icons.of(other.url)]).not.toContain(undefined);
  });

  it('stay forgotten where one is being written while its server goes', async () => {
    const { icons, pictures, servers, writes, written } = createIcons(one, other);
    icons.greeted(one, inside(16));
    await written(1);
    servers.delete(one.url);
    const forgotten = icons.forgetOthers();
    writes[0]?.resolve();
    await forgotten;
    expect(icons.of(one.url)).toBeUndefined();
    expect((await pictures.list()).size).toBe(0);
  });

  it('are asked for no longer once the server has gone, and anew when it is back', async () => {
    const { icons, servers, requests, folder } = createIcons(one);
    const named = [{ src: 'https://one.example/i.png' }];
    icons.greeted(one, named);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    servers.delete(one.url);
    await icons.forgetOthers();
    expect(requests[0]?.signal?.aborted).toBe(true);
    expect(existsSync(join(folder, 'icons'))).toBe(false);
    servers.add(one.url);
    icons.greeted(one, named);
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    await icons.end();
    expect(requests[1]?.signal?.aborted).toBe(true);
  });

  it('are written only for a server that is in the list', async () => {
    const { icons, servers, writes, written } = createIcons(one);
    icons.greeted(other, inside(16));
    icons.greeted(one, inside(16));
    await written(1);
    servers.add(other.url);
    icons.greeted(other, inside(16));
    await written(2);
    for (const { resolve } of writes) resolve();
    await icons.end();
    expect([icons.of(one.url), icons.of(other.url)]).not.toContain(undefined);
  });
});
