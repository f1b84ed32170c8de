import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeEndpoint, markEndpointLeaving } from '../../../main/host/gateway/gateway-holder.ts';
import { openGateway, openGatewayWhenFree } from '../../../main/host/gateway/open-gateway.ts';
import type { OpenGateway } from '../../../main/host/gateway/open-gateway.ts';
import { lockFilePath, tryLockFile } from '../../../main/storage/files/lock-file.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { createTestEngine } from '../../support/test-engine.ts';

function serviceOptions() {
  const { folder, ports } = createTestEngine();
  const { apps, collections } = openIntegrationStore({ folder, locks: ports.locks });
  return {
    ports,
    apps,
    collections,
    folder,
    kind: 'serve' as const,
    command: undefined,
    observer: { user: {} },
    onYieldRequested: () => {},
  };
}

function closeAfterTest(serving: OpenGateway): void {
  onTestFinished(() => serving.close(0));
}

/** Locks the file as another process would. */
async function holdGateway(folder: string) {
  const lock = await tryLockFile(lockFilePath(folder, 'gateway'));
  if (!lock) throw new Error('another process serves already');
  let isHeld = true;
  const release = (): void => {
    if (isHeld) lock.release();
    isHeld = false;
  };
  onTestFinished(release);
  return { release };
}

const never = new AbortController().signal;

it.skipIf(process.platform === 'win32')('publishes how to ask it to hand over before anyone can connect', async () => {
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
    who: 'one that reports that it is leaving',
    leave: (folder: string) => markEndpointLeaving(folder, { kind: 'serve', pid: 1 }),
  },
  { who: 'one that reports nothing', leave: async () => {} },
])('waits for $who, because a pipe starts Postern only once', async ({ leave }) => {
  const options = serviceOptions();
  const lock = await holdGateway(options.folder);
  await leave(options.folder);
  let polls = 0;
  const serving = await openGatewayWhenFree(options, never, async () => {
    polls += 1;
    if (polls === 3) lock.release();
  });
  closeAfterTest(serving);
  expect(polls).toBe(3);
});

it('stops waiting for a process that keeps running, after a limit', async () => {
  const options = serviceOptions();
  await holdGateway(options.folder);
  const polls: number[] = [];
  const wait = async (milliseconds: number) => void polls.push(milliseconds);
  await expect(openGatewayWhenFree(options, never, wait)).rejects.toHaveProperty('code', 'GATEWAY_HELD');
  expect(polls.length).toBeGreaterThan(1);
  polls.length = 0;
  await writeEndpoint(options.folder, { kind: 'window', pid: 1 });
  await expect(openGatewayWhenFree(options, never, wait)).rejects.toHaveProperty('code', 'GATEWAY_HELD');
  await markEndpointLeaving(options.folder, { kind: 'serve', pid: 1 });
  await expect(openGatewayWhenFree(options, AbortSignal.abort(), wait)).rejects.toHaveProperty('code', 'GATEWAY_HELD');
  expect(polls).toEqual([]);
});
