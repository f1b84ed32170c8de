import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { updateInterval } from '../../../../../main/limits.ts';
import { Updates } from '../../../../../main/window/updates/updates.ts';
import type { FeedRelease, UpdateBackend, UpdatesOptions } from '../../../../../main/window/updates/updates.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { makePublisherKeys, makeRelease } from '../../../../support/release/signed-checksums.ts';

const keys = makePublisherKeys();
const feed = { url: 'https://updates.example.com/', publicKey: keys.publicKey };

/** A feed with this version, signed. */
function open(version: string, changes: Partial<UpdatesOptions> & { backend?: Partial<UpdateBackend> } = {}) {
  const release = makeRelease(keys, version, { [`Postern-${version}-linux-x64.AppImage`]: Buffer.from(version) });
  const requests: string[] = [];
  const clock = createFakeClock();
  const backend: UpdateBackend = {
    newest: async (): Promise<FeedRelease> => {
      requests.push('newest');
      return release;
    },
    read: async (name) => {
      requests.push(name);
      return name.endsWith('.sig') ? release.signature : release.checksums;
    },
    download: async (report) => {
      requests.push('download');
      for (const percent of [0, 10.5, 10.9, 100]) report(percent);
    },
    install: () => void requests.push('install'),
    ...changes.backend,
  };
  const states: string[] = [];
  const logged: unknown[] = [];
  const updates: Updates = new Updates({
    version: '1.1.0',
    feed,
    openBackend: async () => backend,
    automatic: async () => true,
    clock,
    log: { write: (...line) => void logged.push(line) },
    onChange: () =>
      void updates
        .view()
        .then(({ state, percent }) => states.push(percent === undefined ? state : `${state} ${percent}`)),
    ...changes,
  });
  return { updates, requests, seen: states, clock, logged };
}

describe('updates', () => {
  it('finds a newer version, and downloads and installs it on request', async () => {
    const { updates, requests, seen: states, clock } = open('1.2.0');
    await updates.check();
    expect(await updates.view()).toEqual({
      state: 'available',
      version: '1.2.0',
      automatic: true,
      checkedAt: clock.now(),
    });
    expect(requests).toEqual(['newest', 'checksums.txt', 'checksums.txt.sig']);
    await updates.download();
    expect(await updates.view()).toMatchObject({ state: 'ready', version: '1.2.0' });
    await updates.install();
    expect(requests.slice(3)).toEqual(['download', 'install']);
    expect(states).toEqual(['checking', 'available', 'downloading 0', 'downloading 10', 'downloading 100', 'ready']);
  });

  it('downloads and installs nothing without a request', async () => {
    const { updates, requests } = open('1.2.0');
    await updates.download();
    await updates.install();
    updates.start();
    await expect.poll(async () => (await updates.view()).state).toBe('available');
    await updates.install();
    expect(requests).not.toContain('download');
    expect(requests).not.toContain('install');
  });

  it('checks at start, and then once a day', async () => {
    const { updates, requests, clock } = open('1.1.0');
    const checks = () => requests.filter((word) => word === 'newest').length;
    updates.start();
    await expect.poll(() => [checks(), clock.timers]).toEqual([1, 1]);
    clock.advance(updateInterval - 1);
    expect(checks()).toBe(1);
    clock.advance(1);
    await expect.poll(() => [checks(), clock.timers]).toEqual([2, 1]);
    updates.stop();
    clock.advance(updateInterval);
    expect([checks(), clock.timers]).toEqual([2, 0]);
    expect(await updates.view()).toMatchObject({ state: 'idle' });
  });

  it('does not check automatically if the user turned that off, but still on request', async () => {
    const { updates, requests, clock } = open('1.2.0', { automatic: async () => false });
    updates.start();
    await expect.poll(() => clock.timers).toBe(1);
    expect(requests).toEqual([]);
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'available', automatic: false });
  });

  it('does nothing if updates are off, and reports why', async () => {
    const { updates, requests, clock } = open('1.2.0', { feed: 'managed' });
    updates.start();
    await updates.check();
    expect(await updates.view()).toEqual({ state: 'off', obstacle: 'managed', automatic: true });
    expect([requests, clock.timers]).toEqual([[], 0]);
  });

  it('rejects an older version (PK-07)', async () => {
    const { updates, requests, logged } = open('1.0.9');
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_DOWNGRADE' } });
    expect(requests).toEqual(['newest']);
    expect(logged).toEqual([['update-failed', { code: 'UPD_DOWNGRADE', cause: undefined }]]);
  });

  it('rejects an unsigned release before downloading any of it (PK-06)', async () => {
    const { updates, requests } = open('1.2.0', { backend: { read: async () => 'nothing' } });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_SIGNATURE' } });
    await updates.download();
    expect(requests).toEqual(['newest']);
  });

  it('reports a failed download, and tries again on request', async () => {
    let fails = true;
    const failing = async () => {
      if (fails) throw new PosternError('UPD_FAILED', { stage: 'postern' });
    };
    const { updates } = open('1.2.0', { backend: { download: failing } });
    await updates.check();
    await updates.download();
    expect(await updates.view()).toMatchObject({ state: 'available', error: { code: 'UPD_FAILED' } });
    fails = false;
    await updates.download();
    const { state, error } = await updates.view();
    expect([state, error]).toEqual(['ready', undefined]);
  });
});
