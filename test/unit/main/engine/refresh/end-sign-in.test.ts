import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RefreshScheduler } from '../../../../../main/engine/refresh/refresh-scheduler.ts';
import { createLocks, profileLock } from '../../../../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../../../../main/storage/settings/integration-store.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { openProfileEngine } from '../../../../support/profile-engine.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { writeList } from '../../../../support/write-profile.ts';

const issuer = 'https://login.example';

/** A thousand signed-in servers without stored tokens. */
async function profile(vaultText?: string) {
  const folder = temporaryFolder();
  const integrations = Array.from({ length: 1_000 }, (_, index) =>
    anIntegration({
      id: `server-${index}`,
      name: `Server ${index}`,
      method: 'OAuthWithDCR',
      issuerKey: issuer,
      state: 'integrated',
    }),
  );
  writeList(folder, integrations);
  if (vaultText !== undefined) writeFileSync(path.join(folder, 'vault'), vaultText);
  const { ports, close } = openProfileEngine(folder);
  onTestFinished(close);
  const locks = createLocks(folder);
  const held: string[] = [];
  const store = openIntegrationStore({
    folder,
    locks: {
      hold: async (name, work, signal) => {
        held.push(name);
        return await locks.hold(name, work, signal);
      },
    },
  });
  const states = async () => new Set((await store.list()).map(({ state }) => state));
  return { ports: { ...ports, store }, held, states };
}

describe('a profile without any tokens', () => {
  it('ends a thousand sign-ins in one write', async () => {
    const { ports, held, states } = await profile();
    const scheduler = new RefreshScheduler(ports, () => {});
    await scheduler.review();
    expect(await states()).toEqual(new Set(['reauthenticationRequired']));
    expect(held).toEqual([profileLock]);
    await scheduler.stop();
  });

  it('keeps the sign-ins if the vault is damaged', async () => {
    const { ports, held, states } = await profile('{');
    const scheduler = new RefreshScheduler(ports, () => {});
    await scheduler.review();
    await scheduler.stop();
    expect(await states()).toEqual(new Set(['integrated']));
    expect(held).toEqual([]);
  });
});
