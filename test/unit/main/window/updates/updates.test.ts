import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { updateInterval } from '../../../../../main/limits.ts';
import { Updates } from '../../../../../main/window/updates/updates.ts';
import type { OfferedRelease, UpdateBackend, UpdatesOptions } from '../../../../../main/window/updates/updates.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { makePublisherKeys, makeRelease } from '../../../../support/release/signed-checksums.ts';

const keys = makePublisherKeys();
const feed = { url: 'https://updates.example.com/', publicKey: keys.publicKey };

/** A feed that offers this version, signed. */
function open(version: string, changes: Partial<UpdatesOptions> & { backend?: Partial<UpdateBackend> } = {}) {
  const release = makeRelease(keys, version, { [`Postern-${version}-linux-x64.AppImage`]: Buffer.from(version) });
  const asked: string[] = [];
  const clock = createFakeClock();
  const backend: UpdateBackend = {
    newest: async (): Promise<OfferedRelease> => {
      asked.push('newest');
      return release;
    },
    read: async (name) => {
      asked.push(name);
      return name.endsWith('.sig') ? release.signature : release.checksums;
    },
    download: async (tell) => {
      asked.push('download');
      for (const percent of [0, 10.5, 10.9, 100]) tell(percent);
    },
    install: () => void asked.push('install'),
    ...changes.backend,
  };
  const seen: string[] = [];
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
        .then(({ state, percent }) => seen.push(percent === undefined ? state : `${state} ${percent}`)),
    ...changes,
  });
  return { updates, asked, seen, clock, logged };
}

describe('updates', () => {
  it('finds a newer version, fetches it when told so, and installs it when told so', async () => {
    const { updates, asked, seen, clock } = open('1.2.0');
    await updates.check();
    expect(await updates.view()).toEqual({
      state: 'available',
      version: '1.2.0',
      automatic: true,
      checkedAt: clock.now(),
    });
    expect(asked).toEqual(['newest', 'checksums.txt', 'checksums.txt.sig']);
    await updates.download();
    expect(await updates.view()).toMatchObject({ state: 'ready', version: '1.2.0' });
    await updates.install();
    expect(asked.slice(3)).toEqual(['download', 'install']);
    expect(seen).toEqual(['checking', 'available', 'downloading 0', 'downloading 10', 'downloading 100', 'ready']);
  });

  it('fetches and installs nothing that nobody asked for', async () => {
    const { updates, asked } = open('1.2.0');
    await updates.download();
    await updates.install();
    updates.start();
    await expect.poll(async () => (await updates.view()).state).toBe('available');
    await updates.install();
    expect(asked).not.toContain('download');
    expect(asked).not.toContain('install');
  });

  it('looks at start, and then once a day', async () => {
    const { updates, asked, clock } = open('1.1.0');
    const looks = () => asked.filter((word) => word === 'newest').length;
    updates.start();
    await expect.poll(() => [looks(), clock.timers]).toEqual([1, 1]);
    clock.advance(updateInterval - 1);
    expect(looks()).toBe(1);
    clock.advance(1);
    await expect.poll(() => [looks(), clock.timers]).toEqual([2, 1]);
    updates.stop();
    clock.advance(updateInterval);
    expect([looks(), clock.timers]).toEqual([2, 0]);
    expect(await updates.view()).toMatchObject({ state: 'idle' });
  });

  it('looks by itself for nothing where the person has switched that off, and still when asked', async () => {
    const { updates, asked, clock } = open('1.2.0', { automatic: async () => false });
    updates.start();
    await expect.poll(() => clock.timers).toBe(1);
    expect(asked).toEqual([]);
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'available', automatic: false });
  });

  it('does nothing where it cannot have any, and says why', async () => {
    const { updates, asked, clock } = open('1.2.0', { feed: 'managed' });
    updates.start();
    await updates.check();
    expect(await updates.view()).toEqual({ state: 'off', obstacle: 'managed', automatic: true });
    expect([asked, clock.timers]).toEqual([[], 0]);
  });

  it('refuses an older version (PK-07)', async () => {
    const { updates, asked, logged } = open('1.0.9');
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_DOWNGRADE' } });
    expect(asked).toEqual(['newest']);
    expect(logged).toEqual([['update-failed', { code: 'UPD_DOWNGRADE', cause: undefined }]]);
  });

  it('refuses a release that is not signed, before anything of it is fetched (PK-06)', async () => {
    const { updates, asked } = open('1.2.0', { backend: { read: async () => 'nothing' } });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_SIGNATURE' } });
    await updates.download();
    expect(asked).toEqual(['newest']);
  });

  it('says that it could not look or fetch, and tries again when asked', async () => {
    let fails = true;
    const failing = async () => {
      if (fails) throw new PosternError('UPD_FAILED', { stage: 'app' });
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
