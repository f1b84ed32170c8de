import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock, systemRandom } from '../../../main/host/system-ports.ts';
import type { VaultKey } from '../../../main/ports.ts';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { replaceFile } from '../../../main/storage/files/replace-file.ts';
import { activityFile, activityFolder, ActivityReader } from '../../../main/storage/profile/activity-store.ts';
import { openTodaysCalls } from '../../../main/storage/profile/todays-calls.ts';
import { openVault } from '../../../main/storage/vault/vault.ts';
import { activityFiles } from '../../../shared/bounds.ts';
import { createMemoryKeychain } from '../../support/memory-keychain.ts';
import { measureLine } from './measure-line.ts';
import type { Curve } from './measure-line.ts';

const callCounts = [10, 100, 1_000, 10_000, 100_000, 1_000_000];

/** The activity log, which retains the newest 20 MB, after 10 to 1,000,000 calls. */
export async function measureActivity(folder: string): Promise<Curve> {
  const prepare = (count: number): string => writeCalls(path.join(folder, `activity-${count}`), count);
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const since = performance.now();
    await work();
    return performance.now() - since;
  };
  const lines = [
    await measureLine('first page', callCounts, {
      prepare,
      measure: (home) => timed(() => new ActivityReader(home).read()),
    }),
    await measureLine('next page', callCounts, {
      async prepare(count) {
        const reader = new ActivityReader(prepare(count));
        return { reader, last: (await reader.read()).last };
      },
      measure: ({ reader, last }) => timed(() => reader.read(last - 50)),
    }),
    await measureLine('summary of today, first', callCounts, {
      prepare,
      measure: (home) => timed(() => openTodaysCalls(home, systemClock).read()),
    }),
    await measureLine('summary of today, next', callCounts, {
      async prepare(count) {
        const calls = openTodaysCalls(prepare(count), systemClock);
        await calls.read();
        return calls;
      },
      measure: (calls) => timed(() => calls.read()),
    }),
  ];
  return { id: 'activity', title: 'Activity, by recorded calls', counted: 'calls', unit: 'ms', lines };
}

/** The files that the gateway would have left: older ones are deleted. */
function writeCalls(home: string, count: number): string {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(activityFolder(home), { recursive: true });
  const lineOf = (index: number): string =>
    `${JSON.stringify({
      ...{ at: Date.now() - (count - index), app: '00ff00ff00ff00ff', integration: `server-${index % 40}` },
      ...{ server: `Server ${index % 40}`, method: 'tools/call', tool: `tool_${index % 25}`, outcome: 'ok' },
      ...{ ms: 12, bytesIn: 120, bytesOut: 2_400, protocol: 'session' },
    })}\n`;
  const perFile = Math.floor(activityFiles.bytes / lineOf(count).length);
  const files = Math.ceil(count / perFile);
  for (let file = Math.max(0, files - activityFiles.count); file < files; file += 1) {
    const start = file * perFile;
    const calls = Array.from({ length: Math.min(perFile, count - start) }, (_, index) => lineOf(start + index));
    writeFileSync(activityFile(activityFolder(home), file + 1), calls.join(''));
  }
  return home;
}

const recordCounts = [10, 100, 1_000, 10_000];

/** The vault with 10 to 10,000 token records: reading one, renewing one, and the bytes which that writes. */
export async function measureVault(folder: string): Promise<readonly [times: Curve, bytes: Curve]> {
  const keychain = createMemoryKeychain();
  const keyOf = (index: number): VaultKey => ({
    kind: 'tokens',
    owner: `server-${index}`,
    issuerKey: 'https://as.example',
  });
  const tokens = (round: number) => ({
    ...{ accessToken: `${'a'.repeat(900)}${round}`, refreshToken: `${'r'.repeat(300)}${round}`, receivedAt: round },
    ...{ issuer: 'https://as.example', tokenEndpoint: 'https://as.example/token', expiresIn: 3_600 },
  });
  let written = 0;
  const open = (home: string) =>
    openVault({
      ...{ folder: home, keychain, locks: createLocks(home), random: systemRandom, backend: 'test' },
      async replace(file, bytes) {
        written += bytes.byteLength;
        await replaceFile(file, bytes);
      },
    });
  const prepare = async (count: number) => {
    const home = path.join(folder, `vault-${count}`);
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    const vault = await open(home);
    await vault.writeTogether(Array.from({ length: count }, (_, index) => [keyOf(index), tokens(0)] as const));
    return { home, vault };
  };
  type State = Awaited<ReturnType<typeof prepare>>;
  const read = await measureLine('read one, in a new process', recordCounts, {
    prepare,
    async measure({ home }: State) {
      const since = performance.now();
      await (await open(home)).read(keyOf(5));
      return performance.now() - since;
    },
  });
  const sizes: { readonly size: number; readonly value: number }[] = [];
  const renew = await measureLine('renew one', recordCounts, {
    prepare,
    async measure({ vault }: State, size, round) {
      written = 0;
      const since = performance.now();
      await vault.write(keyOf(5), tokens(round + 1));
      const milliseconds = performance.now() - since;
      if (round === 0) sizes.push({ size, value: written / 1_000 });
      return milliseconds;
    },
  });
  const shared = { counted: 'records' } as const;
  return [
    { ...shared, id: 'vault', title: 'The vault, by records', unit: 'ms', lines: [read, renew] },
    {
      ...{ ...shared, id: 'vault-bytes', title: 'Bytes written to renew one record', unit: 'kB' },
      lines: [{ name: 'renew one', points: sizes, missing: [] }],
    },
  ];
}
