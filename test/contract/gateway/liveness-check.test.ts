import { createConnection } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { unlimited } from '../../../main/gateway-ports.ts';
import type { GatewaySession } from '../../../main/gateway-ports.ts';
import { controlLines } from '../../../main/net/endpoint/pipe-connection.ts';
import { createSocketEndpoint } from '../../../main/net/endpoint/socket-endpoint.ts';
import { afterTest } from '../../support/after-test.ts';
import { ByteLines } from '../../support/byte-lines.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What a pipe requests from a gateway with a slow server. */

async function connect(session: Partial<GatewaySession>, hello: object): Promise<{ lines: ByteLines; say: Say }> {
  const socketPath = path.join(temporaryFolder(), 'gateway.sock');
  const whole: GatewaySession = {
    reading: unlimited,
    isIdle: false,
    receive: async () => {},
    refuseOversized: async () => {},
    drain: async () => {},
    close: async () => {},
    ...session,
  };
  const endpoint = createSocketEndpoint({ path: socketPath, open: async () => whole });
  await endpoint.listen();
  afterTest(() => endpoint.close());
  const socket = createConnection(socketPath);
  afterTest(() => void socket.destroy());
  const lines = new ByteLines();
  socket.on('data', (chunk) => lines.push(chunk));
  const say: Say = (line) => void socket.write(`${String(line)}\n`);
  say(JSON.stringify({ postern: 1, open: { server: 'notes', ...hello } }));
  return { lines, say };
}

type Say = (line: Buffer | string) => void;

describe('a pipe that checks whether its gateway is alive', () => {
  it('gets a response, and the session does not see the check', async () => {
    const received: string[] = [];
    const receive = async (bytes: Buffer): Promise<void> => void received.push(String(bytes));
    const { lines, say } = await connect({ receive }, { awaitsHere: true });
    expect(await lines.next()).toBe(String(controlLines.here));
    say(controlLines.ask);
    expect(await lines.next()).toBe(String(controlLines.here));
    expect(received).toEqual([]);
  });

  it('gets a response even while an earlier message waits for its turn', async () => {
    const { lines, say } = await connect({ receive: () => new Promise(() => {}) }, { awaitsHere: true });
    await lines.next();
    say('{"jsonrpc":"2.0","method":"notifications/x"}');
    say(controlLines.ask);
    for (let count = 0; count < 2; count += 1) expect(await lines.next()).toBe(String(controlLines.here));
  });
});
