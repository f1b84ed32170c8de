import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { publish } from '../support/release/published-update.ts';
import { makePublisherKeys } from '../support/release/signed-checksums.ts';

describe('an update by electron-updater', () => {
  it('is found, downloaded and verified', async () => {
    const { updates, updater, fetched, content, server, data } = await publish({ version: '1.2.0' });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'available', version: '1.2.0' });
    expect(server.received()).not.toContain('.AppImage');
    // Its automatic start comes a moment later, after this test has checked.
    expect([updater.autoDownload, updater.allowDowngrade]).toEqual([false, false]);
    await updates.download();
    expect(await updates.view()).toMatchObject({ state: 'ready' });
    const [file = ''] = fetched();
    expect(readFileSync(file).equals(content)).toBe(true);
    // Nothing that identifies a computer is sent, and nothing stays in the profile.
    expect(server.received()).not.toMatch(/x-user-staging-id: (?!none)/iu);
    expect(readdirSync(data)).toEqual([]);
  });

  it('is not found if the feed names the running version', async () => {
    const { updates } = await publish({ version: '1.0.0' });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle' });
    expect((await updates.view()).error).toBeUndefined();
  });

  it('is refused when it is older (PK-07)', async () => {
    const { updates, fetched } = await publish({ version: '0.9.0' });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_DOWNGRADE' } });
    expect(fetched()).toEqual([]);
  });

  it.each([
    ['somebody else has signed it', { signedBy: makePublisherKeys() }],
    ['the feed gives out another file, and its hash', { forged: Buffer.from('evil'), consistent: true }],
  ])('is refused before it is downloaded when %s (PK-06)', async (_name, forgery) => {
    const { updates, fetched } = await publish({ version: '1.2.0', ...forgery });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_SIGNATURE' } });
    await updates.download();
    expect(fetched()).toEqual([]);
  });

  it('is refused when the download is not what was signed (PK-06)', async () => {
    const { updates, fetched } = await publish({ version: '1.2.0', forged: Buffer.from('evil'.repeat(45_000)) });
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'available' });
    await updates.download();
    expect(await updates.view()).toMatchObject({ state: 'available', error: { code: 'UPD_SIGNATURE' } });
    expect(fetched()).toEqual([]);
  });

  it('is reported as a failure when the feed is missing', async () => {
    const { updates, server } = await publish({ version: '1.2.0' });
    await server[Symbol.asyncDispose]();
    await updates.check();
    expect(await updates.view()).toMatchObject({ state: 'idle', error: { code: 'UPD_FAILED' } });
  });
});
