import { describe, expect, it } from 'vitest';
import { startResource } from '../../support/demo-pair.ts';
import { pipeKinds, startPipe } from '../../support/pipe-process.ts';
import { runPostern, startPostern } from '../../support/postern-process.ts';
import type { PosternProcess } from '../../support/postern-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const suites = pipeKinds.map((pipe) => ({ pipe, name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name }));

const codeOf = (error: unknown): unknown => (error as { data?: { code?: unknown } } | undefined)?.data?.code;

async function serve(home: string): Promise<PosternProcess> {
  const process = startPostern(['serve', '--allow-unknown', '--json'], { home });
  await process.waitFor(/"event":"serving"/u);
  return process;
}

describe.skipIf(process.platform === 'win32').for(suites)('an app at the $name pipe', ({ pipe }) => {
  it.skipIf(pipe.missing)(
    'gets one response to each request while the gateway is killed five times, and continues',
    async () => {
      const mcp = await startResource(undefined, {});
      const home = temporaryFolder();
      await runPostern(['connect', mcp.url, '--local', '--name', 'Notes'], { home });
      let gateway = await serve(home);
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
      const clientInfo = { name: 'test', version: '1' };
      await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
      app.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      const calling = new AbortController();
      const call = async (): Promise<void> => {
        while (!calling.signal.aborted) await ask('tools/call', { name: 'whoami', arguments: {} });
      };
      const callers = Array.from({ length: 8 }, call);
      const results = () => answers.filter(({ code }) => code === 'ok').length;
      for (let kill = 0; kill < 5; kill += 1) {
        const before = results();
        await expect.poll(results, { interval: 2 }).toBeGreaterThan(before + 20);
        gateway.kill('SIGKILL');
        await gateway.ended;
        gateway = await serve(home);
      }
      const before = results();
      await expect.poll(results).toBeGreaterThan(before);
      calling.abort();
      await Promise.all(callers);
      const ids = answers.map(({ id }) => id).toSorted((a, b) => a - b);
      expect(ids).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
      // The second while nothing listens: on a busy computer the next one takes longer than a pipe waits.
      const allowedOutcomes = ['ok', 'SESSION_LOST', 'GATEWAY_UNREACHABLE'];
      expect(answers.filter(({ code }) => !allowedOutcomes.includes(String(code)))).toEqual([]);
    },
  );
});
