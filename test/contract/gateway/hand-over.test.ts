import { describe, expect, it, onTestFinished } from 'vitest';
import { WindowGateway } from '../../../main/app/window-gateway.ts';
import { openIntegrationStore } from '../../../main/storage/integration-store.ts';
import { startResource } from '../../support/demo-pair.ts';
import { pipeKinds, startPipe } from '../../support/pipe-process.ts';
import type { PipeKind } from '../../support/pipe-process.ts';
import type { Message } from '../../support/pipe-gateway.ts';
import { runPostern, startPostern } from '../../support/postern-process.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** Programs at work while what serves them changes. */

const suites = pipeKinds.map((pipe) => ({ pipe, name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name }));
const record = '0123456789abcdef';
const programs = 4;

/** One program that calls a tool again and again, each time as soon as the last call was answered. */
function startWorking(pipe: PipeKind, folder: string) {
  const { send, next } = startPipe(pipe, ['--profile-folder', folder, 'notes', '--program', record]);
  const answers: string[] = [];
  const answered: unknown[] = [];
  const waiting = new Set<() => void>();
  const ending = new AbortController();
  async function answerTo(id: number): Promise<Message> {
    for (;;) {
      const message = await next();
      if (message['method'] === undefined) answered.push(message['id']);
      if (message['id'] === id) return message;
    }
  }
  async function work(): Promise<void> {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'worker', version: '1' } };
    send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    await answerTo(0);
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (let id = 1; !ending.signal.aborted; id += 1) {
      send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'whoami', arguments: {} } });
      answers.push(JSON.stringify(await answerTo(id)));
      for (const look of waiting) look();
    }
  }
  const working = work();
  return {
    answers,
    /** Ids, in the order of their answers. */
    answered,
    /** Resolves after so many answers more. */
    more(count: number): Promise<void> {
      const wanted = answers.length + count;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(() => answers.length >= wanted && resolve());
      return promise;
    },
    async end() {
      ending.abort();
      await working;
    },
  };
}

describe.skipIf(process.platform === 'win32').for(suites)('with the $name pipe', ({ pipe }) => {
  it.skipIf(pipe.missing)(
    'every call is answered once and done once at most when a window takes over from the service, and when the service comes back',
    async () => {
      const mcp = await startResource(undefined);
      const { folder, ports } = createTestEngine();
      await runPostern(['connect', mcp.url, '--local', '--name', 'Notes'], { home: folder });
      const [notes] = await ports.store.list();
      const { programs: records } = openIntegrationStore({ folder, locks: ports.locks });
      await records.change(() => [
        { id: record, program: 'cursor', name: 'Cursor', integrations: [notes?.id ?? ''], createdAt: 1 },
      ]);
      const serve = async () => {
        const service = startPostern(['serve', '--json'], { home: folder });
        await service.waitFor(/"socket":"([^"]+)"/u);
        return service;
      };
      const first = await serve();
      const working = Array.from({ length: programs }, () => startWorking(pipe, folder));
      const allMore = (count: number) => Promise.all(working.map(({ more }) => more(count)));
      await allMore(20);
      const window = new WindowGateway({ ports, programs: records, folder });
      onTestFinished(() => window.close());
      window.start();
      expect((await first.ended).code).toBe(0);
      await allMore(20);
      await window.close();
      const second = await serve();
      await allMore(20);
      await Promise.all(working.map(({ end }) => end()));
      second.kill('SIGTERM');
      expect((await second.ended).code).toBe(0);
      const answers = working.flatMap((worker) => worker.answers);
      const lost = answers.filter((answer) => !answer.includes('You are '));
      // A program that never rests is cut off in the middle of something, once at each change, and is told so.
      expect(lost.length).toBeLessThanOrEqual(2 * programs);
      expect(lost.filter((answer) => !answer.includes('SESSION_LOST'))).toEqual([]);
      for (const { answered } of working) expect(new Set(answered).size).toBe(answered.length);
      const done = mcp.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call').length;
      expect(done).toBeGreaterThanOrEqual(answers.length - lost.length);
      expect(done).toBeLessThanOrEqual(answers.length);
    },
  );
});
