import { describe, expect, it, onTestFinished } from 'vitest';
import { WindowGateway } from '../../../main/window/start/desktop/window-gateway.ts';
import '../../../main/host/gateway/open-gateway.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { startResource } from '../../support/demo-pair.ts';
import type { Message } from '../../support/pipe-gateway.ts';
import { pipeKinds, startPipe } from '../../support/pipe-process.ts';
import type { PipeKind } from '../../support/pipe-process.ts';
import { runPostern, startPostern } from '../../support/postern-process.ts';
import { createTestEngine } from '../../support/test-engine.ts';

// The window loads it when it opens: here that would take longer than all else, beside programs at work.

/** Programs at work while what serves them changes. */

const suites = pipeKinds.map((pipe) => ({ pipe, name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name }));
const record = '0123456789abcdef';
const programs = 3;
const atOnce = 16;
/** Answers to each program between two changes: more than it had asked for before the last one. */
const between = atOnce + 4;
/** From the service to a window and back, and again. */
const changes = 4;

/** One program that calls a tool again and again, sixteen at once, each time as soon as one was answered. */
function startWorking(pipe: PipeKind, folder: string) {
  const { send, next } = startPipe(pipe, ['--profile-folder', folder, 'notes', '--program', record]);
  /** Of calls, as text. */
  const answers: string[] = [];
  /** Ids, in the order of their answers. */
  const answered: unknown[] = [];
  const waiting = new Set<() => void>();
  const ending = new AbortController();
  let asked = 0;
  function call(): void {
    asked += 1;
    send({ jsonrpc: '2.0', id: asked, method: 'tools/call', params: { name: 'whoami', arguments: {} } });
  }
  async function nextAnswer(): Promise<Message> {
    for (;;) {
      const message = await next();
      if (message['method'] === undefined) return message;
    }
  }
  async function work(): Promise<void> {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'worker', version: '1' } };
    send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    answered.push((await nextAnswer())['id']);
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (let count = 0; count < atOnce; count += 1) call();
    while (answers.length < asked) {
      const answer = await nextAnswer();
      answered.push(answer['id']);
      answers.push(JSON.stringify(answer));
      if (!ending.signal.aborted) call();
      for (const look of waiting) look();
    }
  }
  const working = work();
  return {
    answers,
    answered,
    /** Resolves after so many answers more. */
    more(count: number): Promise<void> {
      const wanted = answers.length + count;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(() => answers.length >= wanted && resolve());
      return promise;
    },
    /** Resolves when the last call was answered. */
    async end() {
      ending.abort();
      await working;
    },
  };
}

describe.skipIf(process.platform === 'win32').for(suites)('with the $name pipe', ({ pipe }) => {
  it.skipIf(pipe.missing)(
    'no call is lost, and each is answered and done once, however often window and service take over from one another',
    async () => {
      const mcp = await startResource(undefined, { keepsConnections: true });
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
      let service = await serve();
      const working = Array.from({ length: programs }, () => startWorking(pipe, folder));
      const allMore = (count: number) => Promise.all(working.map(({ more }) => more(count)));
      await allMore(between);
      for (let change = 0; change < changes; change += 2) {
        const window = new WindowGateway({
          ports,
          programs: records,
          collections: { list: async () => [] },
          folder,
          command: undefined,
          watch: { user: {} },
        });
        onTestFinished(() => window.close());
        window.start();
        expect((await service.ended).code).toBe(0);
        await allMore(between);
        await window.close();
        service = await serve();
        await allMore(between);
      }
      await Promise.all(working.map(({ end }) => end()));
      service.kill('SIGTERM');
      expect((await service.ended).code).toBe(0);
      const answers = working.flatMap((worker) => worker.answers);
      expect(answers.filter((answer) => !answer.includes('You are '))).toEqual([]);
      for (const { answered } of working) expect(new Set(answered).size).toBe(answered.length);
      expect(mcp.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call')).toHaveLength(answers.length);
    },
  );
});
