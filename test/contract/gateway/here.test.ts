import { createConnection } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { uncounted } from '../../../main/gateway-ports.ts';
import type { ProgramSession } from '../../../main/gateway-ports.ts';
import { pipeWords } from '../../../main/net/endpoint/pipe-connection.ts';
import { createSocketEndpoint } from '../../../main/net/endpoint/socket-endpoint.ts';
import { afterTest } from '../../support/after-test.ts';
import { ByteLines } from '../../support/byte-lines.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What a pipe asks of a gateway whose server takes its time. */

async function connect(session: Partial<ProgramSession>, hello: object): Promise<{ lines: ByteLines; say: Say }> {
  const socketPath = path.join(temporaryFolder(), 'gateway.sock');
  const whole: ProgramSession = {
    reading: uncounted,
    isIdle: false,
    receive: async () => {},
    refuseLong: async () => {},
    rest: async () => {},
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

describe('a pipe that asks whether its gateway is there', () => {
  it('is told so, and the session hears nothing of it', async () => {
    const heard: string[] = [];
    const receive = async (bytes: Buffer): Promise<void> => void heard.push(String(bytes));
    const { lines, say } = await connect({ receive }, { awaitsHere: true });
    expect(await lines.next()).toBe(String(pipeWords.here));
    say(pipeWords.ask);
    expect(await lines.next()).toBe(String(pipeWords.here));
    expect(heard).toEqual([]);
  });

  it('is told so as well while a message before it has to wait for its turn', async () => {
    const { lines, say } = await connect({ receive: () => new Promise(() => {}) }, { awaitsHere: true });
    await lines.next();
    say('{"jsonrpc":"2.0","method":"notifications/x"}');
    say(pipeWords.ask);
    for (let count = 0; count < 2; count += 1) expect(await lines.next()).toBe(String(pipeWords.here));
  });
});
