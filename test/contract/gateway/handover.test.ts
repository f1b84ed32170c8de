import { expect, it, onTestFinished } from 'vitest';
import { WindowGateway } from '../../../main/window/start/desktop/window-gateway.ts';
import '../../../main/host/gateway/open-gateway.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { startResource } from '../../support/demo-pair.ts';
import type { Message } from '../../support/pipe-gateway.ts';
import { pipeKinds, startPipe } from '../../support/pipe-process.ts';
import type { PipeKind } from '../../support/pipe-process.ts';
import { startPostern } from '../../support/postern-process.ts';
import { isLong } from '../../support/runs.ts';
import { createTestEngine } from '../../support/test-engine.ts';

// The window loads it on opening; with busy apps here, that would take longer than everything else.

/** Busy apps while the process that serves them changes. */

const record = '0123456789abcdef';
const atOnce = 16;
/** Responses per app between two handovers: more than it had in flight before the last one. */
const between = atOnce + 4;
/** From the service to a window and back; twice in the long form. */
const changes = isLong ? 4 : 2;

/** One app with sixteen calls in flight; each response starts the next call. */
function startWorking(pipe: PipeKind, folder: string) {
  const { send, next } = startPipe(pipe, ['--profile-folder', folder, 'notes', '--app', record]);
  /** Call results, as text. */
  const answers: string[] = [];
  /** IDs in the order of their responses. */
  const answeredIds: unknown[] = [];
  const waiting = new Set<() => void>();
  const ending = new AbortController();
  let lastId = 0;
  function call(): void {
    lastId += 1;
    send({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params: { name: 'whoami', arguments: {} } });
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
    answeredIds.push((await nextAnswer())['id']);
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (let count = 0; count < atOnce; count += 1) call();
    while (answers.length < lastId) {
      const response = await nextAnswer();
      answeredIds.push(response['id']);
      answers.push(JSON.stringify(response));
      if (!ending.signal.aborted) call();
      for (const check of waiting) check();
    }
  }
  const working = work();
  return {
    answers,
    answeredIds,
    /** Resolves after this many more responses. */
    more(count: number): Promise<void> {
      const wanted = answers.length + count;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(() => answers.length >= wanted && resolve());
      return promise;
    },
    /** Resolves when the last call is answered. */
    async end() {
      ending.abort();
      await working;
    },
  };
}

it.skipIf(process.platform === 'win32')(
  'no call is lost, and each is answered and executed once, however often window and service take over',
  async () => {
    const mcp = await startResource(undefined, { keepsConnections: true });
    const { folder, ports } = createTestEngine();
    await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes'], { home: folder });
    const [notes] = await ports.store.list();
    const { apps: records } = openIntegrationStore({ folder, locks: ports.locks });
    await records.change(() => [
      { id: record, app: 'cursor', name: 'Cursor', integrations: [notes?.id ?? ''], createdAt: 1 },
    ]);
    const serve = async () => {
      const service = startPostern(['serve', '--json'], { home: folder });
      await service.waitFor(/"socket":"([^"]+)"/u);
      return service;
    };
    let service = await serve();
    const working = pipeKinds
      .filter(({ missing }) => missing === undefined)
      .flatMap((pipe) => [startWorking(pipe, folder), startWorking(pipe, folder)]);
    const allMore = (count: number) => Promise.all(working.map(({ more }) => more(count)));
    await allMore(between);
    for (let change = 0; change < changes; change += 2) {
      const window = new WindowGateway({
        ports,
        apps: records,
        collections: { list: async () => [] },
        folder,
        command: undefined,
        observer: { user: {} },
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
    expect(answers.filter((response) => !response.includes('You are '))).toEqual([]);
    for (const { answeredIds } of working) expect(new Set(answeredIds).size).toBe(answeredIds.length);
    expect(mcp.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call')).toHaveLength(answers.length);
  },
);
