import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { bodyLimit } from '../../main/limits.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { posternCommand, startCommand } from '../support/postern-process.ts';
import { supportScript } from '../support/run-script.ts';
import { isLong } from '../support/runs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { event, inputSchema, startRawServer, textResult } from '../support/raw-mcp-server.ts';

/** KiB, and at most 200 MB: what a command may use at any moment, whatever a server sends. */
const most = 200_000_000 / 1_024;
const bytes = 15_000_000;
const repeated = (text: string, length = bytes): string => text.repeat(Math.floor(length / text.length));

/** Responses of 15 MB, and as large as accepted, that cost most once parsed; `npm test` sends the first two. */
const results: Readonly<Record<string, string>> = {
  'empty objects, 15 MB of them': `{"content":[{}${repeated(',{}')}]}`,
  'the longest text that is taken': `{"content":[{"type":"text","text":"${'€'.repeat(bodyLimit.mcpMessage / 3 - 1_000)}"}]}`,
  'one text of 15 MB': `{"content":[{"type":"text","text":"${repeated('x')}"}]}`,
  'empty lists, 15 MB of them': `{"content":[],"structuredContent":{"a":[${repeated('[],')}[]]}}`,
  'the most line ends that are taken': `{"content":[{"type":"text","text":"${repeated('\\n', bodyLimit.mcpMessage - 1_000)}"}]}`,
};

const messages: Readonly<Record<string, string>> = {
  'of notifications': `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":[${repeated('[],', 4_000_000)}[]]}}`,
  'of answers to nobody': `{"jsonrpc":"2.0","id":"x","result":{"a":[${repeated('[],', 4_000_000)}[]]}}`,
};

/** The peak of the real command in KiB while the server responds to a call with what `send` writes. */
async function peakOf(send: (response: ServerResponse, id: unknown) => Promise<void> | void): Promise<number> {
  const server = await startRawServer('session', [{ name: 'large', inputSchema }], ({ message, response }) => {
    if (message.method !== 'tools/call') return false;
    void send(response, message.id);
    return true;
  });
  const home = temporaryFolder();
  await runInProcess(['connect', server.url, '--local', '--name', 'x'], { home });
  const [node = '', ...rest] = posternCommand('call', 'x', 'large', '--json');
  const file = path.join(home, 'peak');
  const command = [node, '--import', supportScript('write-peak-memory.mjs'), ...rest];
  const { last } = await startCommand(command, { home, env: { PEAK_MEMORY_FILE: file } }).ended;
  expect(['ok', 'RESULT_TOO_LARGE']).toContain(
    (last['error'] as { code?: string } | undefined)?.code ?? last['result'],
  );
  return Number(readFileSync(file, 'utf8'));
}

it.each(Object.keys(results).filter((_, index) => isLong || index < 2))(
  'takes less than 200 MB for a response: %s',
  async (name) => {
    const peak = await peakOf((response, id) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${String(id)},"result":${results[name]}}`);
    });
    expect(peak).toBeLessThan(most);
  },
);

it.each(Object.keys(messages).filter((_, index) => isLong || index < 1))(
  'takes less than 200 MB for a stream %s, 4 MB each',
  async (name) => {
    const peak = await peakOf(async (response, id) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.setMaxListeners(100);
      for (let count = 0; count < 15 && !response.destroyed; count += 1) {
        if (!response.write(`data: ${messages[name]}\n\n`))
          await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
      response.end(event({ id, ...textResult('done') }));
    });
    expect(peak).toBeLessThan(most);
  },
);

it('passes on a response of 16 MiB as it arrives, in less than four times its size', async () => {
  const text = `${'x'.repeat(99)}\n`.repeat(Math.floor((16 * 1_024 * 1_024) / 100));
  let reply = text;
  const server = await startRawServer('session', [{ name: 'large', inputSchema }], ({ message, response }) => {
    if (message.method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...textResult(reply) }));
    return true;
  });
  const home = temporaryFolder();
  await runInProcess(['connect', server.url, '--local', '--name', 'x'], { home });
  const [node = '', ...rest] = posternCommand('call', 'x', 'large');
  const file = path.join(home, 'peak');
  const command = [node, '--import', supportScript('write-peak-memory.mjs'), ...rest];
  /** Peak in KiB. */
  const peak = async (sentText: string): Promise<number> => {
    reply = sentText;
    const { code, stdout } = await startCommand(command, { home, env: { PEAK_MEMORY_FILE: file } }).ended;
    expect(code).toBe(0);
    expect(stdout === sentText).toBe(true);
    return Number(readFileSync(file, 'utf8'));
  };
  // The baseline of the command differs from one machine and run to the next.
  const alone = await peak('x\n');
  expect((await peak(text)) - alone).toBeLessThan((4 * text.length) / 1_024);
});
