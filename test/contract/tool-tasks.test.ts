import { expect, it, vi } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { startPostern } from '../support/postern-process.ts';
import { startTaskServer } from '../support/task-server.ts';
import type { TaskServer } from '../support/task-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

/** Tools that run only as tasks (MCP 2025-11-25, tasks), on the official SDK. */

const options = { timeout: 60_000 };
const polled = ({ methods }: TaskServer) => vi.waitFor(() => expect(methods).toContain('tasks/get'), options);

async function openWindow() {
  const server = await startTaskServer();
  const desktop = await createTestDesktop({});
  const { integration } = await desktop.engine.connect(server.url);
  const call = (name: string) =>
    desktop.call('integration:callTool', { id: integration.id, call: name, name, arguments: {} });
  return { server, desktop, call };
}

it('are waited for by the command, which reports progress', async () => {
  const server = await startTaskServer();
  const home = temporaryFolder();
  expect(await runInProcess(['connect', server.url, '--local', '--name', 'x', '--json'], { home })).toMatchObject({
    code: 0,
  });
  const call = startPostern(['call', 'x', 'study', '--json'], { home });
  await polled(server);
  await server.finish('completed');
  const { code, last, lines } = await call.ended;
  expect({ code, last }).toMatchObject({ code: 0, last: { isError: false, content: [{ text: 'completed' }] } });
  expect(lines.filter((line) => line['event'] === 'progress')).toMatchObject([
    { message: expect.stringMatching(/^Reading[^\u001b]* leaves$/u) },
  ]);
});

it('prompt the user in the window, and continue with the response', async () => {
  const { server, desktop, call } = await openWindow();
  const calling = call('choose');
  const [question] = await desktop.waitFor(({ questions = [] }) => questions.length === 1 && questions);
  expect(question).toMatchObject({ kind: 'form', tool: 'choose', message: 'Which tea?' });
  await desktop.call('question:answer', { id: question?.id ?? '', answer: 'accept', content: { tea: 'Assam' } });
  expect(JSON.stringify(await calling)).toContain('Assam');
  expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(1);
});

it('report a failure of their own as tools do', async () => {
  const { server, call } = await openWindow();
  const calling = call('study');
  await polled(server);
  await server.finish('failed');
  expect(await calling).toMatchObject({ isError: true, content: [{ text: 'failed' }] });
});

it('survive a lost connection, and are started once', async () => {
  const { server, call } = await openWindow();
  const calling = call('study');
  await polled(server);
  server.hangUpOn('tasks/get', 2);
  await vi.waitFor(() => expect(server.remaining('tasks/get')).toBe(0), options);
  server.hangUpOn('tasks/result', 1);
  await server.finish('completed');
  expect(await calling).toMatchObject({ isError: false, content: [{ text: 'completed' }] });
  expect(server.methods.filter((method) => method === 'tools/call')).toHaveLength(1);
});

it('EL-10 are polled at most four times a second, whatever the server wants', async () => {
  const { server, call } = await openWindow();
  const calling = call('study');
  const polls = () => server.methods.filter((method) => method === 'tasks/get').length;
  await vi.waitFor(() => expect(polls()).toBeGreaterThan(3), options);
  await server.finish('completed');
  await calling;
  expect(server.shortestPollInterval()).toBeGreaterThan(200);
});

it('are canceled at the server when nobody waits any more', async () => {
  const { server, desktop, call } = await openWindow();
  const calling = call('study');
  await polled(server);
  await desktop.call('integration:stopCall', { call: 'study' });
  await expect(calling).rejects.toMatchObject({ plain: { code: 'CALL_INTERRUPTED' } });
  await vi.waitFor(() => expect(server.methods.at(-1)).toBe('tasks/cancel'), options);
});

it('that the server cancels have no result', async () => {
  const { server, call } = await openWindow();
  const calling = call('study');
  await polled(server);
  await server.finish('cancelled');
  await expect(calling).rejects.toMatchObject({ plain: { code: 'TASK_CANCELLED', detail: { tool: 'study' } } });
});
