import { expect, it } from 'vitest';
import { runInProcess } from '../../support/command-in-process.ts';
import { startResource } from '../../support/demo-pair.ts';
import { pipeKinds, startPipe } from '../../support/pipe-process.ts';
import type { PipeKind } from '../../support/pipe-process.ts';
import { startPostern } from '../../support/postern-process.ts';
import type { PosternProcess } from '../../support/postern-process.ts';
import { isLong } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const codeOf = (error: unknown): unknown => (error as { data?: { code?: unknown } } | undefined)?.data?.code;

async function serve(home: string): Promise<PosternProcess> {
  const process = startPostern(['serve', '--allow-unknown', '--json'], { home });
  await process.waitFor(/"event":"serving"/u);
  return process;
}

/** An app with eight calls in flight at any time; each is sent again as soon as it has its response. */
function startCalling(pipe: PipeKind, home: string) {
  const app = startPipe(pipe, ['--profile-folder', home, 'Notes']);
  const answers: { readonly id: number; readonly code: unknown }[] = [];
  const waiting = new Map<unknown, () => void>();
  const read = async (): Promise<void> => {
    for (;;) {
      const { id, method, result, error } = await app.next();
      if (method !== undefined) continue;
      answers.push({ id: Number(id), code: result === undefined ? codeOf(error) : 'ok' });
      waiting.get(id)?.();
    }
  };
  void read();
  let sent = 0;
  const ask = async (method: string, params: object): Promise<void> => {
    const id = (sent += 1);
    const answered = new Promise<void>((resolve) => waiting.set(id, resolve));
    app.send({ jsonrpc: '2.0', id, method, params });
    await answered;
  };
  const calling = new AbortController();
  const work = async (): Promise<void> => {
    const clientInfo = { name: 'test', version: '1' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    app.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const call = async (): Promise<void> => {
      while (!calling.signal.aborted) await ask('tools/call', { name: 'whoami', arguments: {} });
    };
    await Promise.all(Array.from({ length: 8 }, call));
  };
  const working = work();
  return {
    results: () => answers.filter(({ code }) => code === 'ok').length,
    /** Every response, by the ID of its request. */
    async end() {
      calling.abort();
      await working;
      const ids = answers.map(({ id }) => id).toSorted((a, b) => a - b);
      expect(ids).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
      return answers;
    },
  };
}

it.skipIf(process.platform === 'win32')(
  'an app gets one response to each request while the gateway is killed again and again, and continues',
  async () => {
    const mcp = await startResource(undefined, {});
    const home = temporaryFolder();
    await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes'], { home });
    let gateway = await serve(home);
    const apps = pipeKinds.filter(({ missing }) => missing === undefined).map((pipe) => startCalling(pipe, home));
    for (let kill = 0; kill < (isLong ? 5 : 2); kill += 1) {
      const before = apps.map(({ results }) => results());
      for (const [index, { results }] of apps.entries())
        await expect.poll(results, { interval: 2 }).toBeGreaterThan((before[index] ?? 0) + 20);
      gateway.kill('SIGKILL');
      await gateway.ended;
      gateway = await serve(home);
    }
    for (const { results } of apps) await expect.poll(results).toBeGreaterThan(results());
    // The second while nothing listens: on a busy computer the next one takes longer than a pipe waits.
    const allowedOutcomes = ['ok', 'SESSION_LOST', 'GATEWAY_UNREACHABLE'];
    for (const { end } of apps)
      expect((await end()).filter(({ code }) => !allowedOutcomes.includes(String(code)))).toEqual([]);
  },
);
