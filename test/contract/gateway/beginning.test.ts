import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keepEndpoint, leaveEndpoint } from '../../../main/host/gateway/gateway-holder.ts';
import { openGateway, openGatewayInTurn } from '../../../main/host/gateway/open-gateway.ts';
import type { OpenGateway } from '../../../main/host/gateway/open-gateway.ts';
import { lockFilePath, tryLockFile } from '../../../main/storage/files/lock-file.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { createTestEngine } from '../../support/test-engine.ts';

function serviceOptions() {
  const { folder, ports } = createTestEngine();
  const { programs, collections } = openIntegrationStore({ folder, locks: ports.locks });
  return {
    ports,
    programs,
    collections,
    folder,
    kind: 'serve' as const,
    command: undefined,
    watch: { user: {} },
    onAskedToYield: () => {},
  };
}

function closeAfterTest(serving: OpenGateway): void {
  onTestFinished(() => serving.close(0));
}

/** Held as another process would hold it. */
async function holdGateway(folder: string) {
  const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
  if (!lock) throw new Error('somebody serves already');
  let isHeld = true;
  const release = (): void => {
    if (isHeld) lock.release();
    isHeld = false;
  };
  onTestFinished(release);
  return { release };
}

const never = new AbortController().signal;

it.skipIf(process.platform === 'win32')('says how it is asked to make room before anybody finds it', async () => {
  const options = serviceOptions();
  const run = path.join(options.folder, 'run');
  const opening = openGateway(options);
  const connects = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = createConnection(path.join(run, 'gateway.sock'));
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      onTestFinished(() => void socket.destroy());
    });
  while (!(await connects())) await new Promise(setImmediate);
  expect(existsSync(path.join(run, 'endpoint.json'))).toBe(true);
  closeAfterTest(await opening);
});

it.each([
  {
    who: 'one that says that it is leaving',
    leave: (folder: string) => leaveEndpoint(folder, { kind: 'serve', pid: 1 }),
  },
  { who: 'one that says nothing of itself', leave: async () => {} },
])('waits for $who, since a pipe starts Postern once', async ({ leave }) => {
  const options = serviceOptions();
  const lock = await holdGateway(options.folder);
  await leave(options.folder);
  let looks = 0;
  const serving = await openGatewayInTurn(options, never, async () => {
    looks += 1;
    if (looks === 3) lock.release();
  });
  closeAfterTest(serving);
  expect(looks).toBe(3);
});

it('waits for none that goes on, and not without end', async () => {
  const options = serviceOptions();
  await holdGateway(options.folder);
  const looks: number[] = [];
  const wait = async (milliseconds: number) => void looks.push(milliseconds);
  await expect(openGatewayInTurn(options, never, wait)).rejects.toHaveProperty('code', 'GATEWAY_HELD');
  expect(looks.length).toBeGreaterThan(1);
  looks.length = 0;
  await keepEndpoint(options.folder, { kind: 'window', pid: 1 });
  await expect(openGatewayInTurn(options, never, wait)).rejects.toHaveProperty('code', 'GATEWAY_HELD');
  await leaveEndpoint(options.folder, { kind: 'serve', pid: 1 });
  await expect(openGatewayInTurn(options, AbortSignal.abort(), wait)).rejects.toHaveProperty('code', 'GATEWAY_HELD');
  expect(looks).toEqual([]);
});
