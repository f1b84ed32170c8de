import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';
import { afterTest } from './after-test.ts';

export interface TaskServer {
  readonly url: string;
  /** RPC methods, oldest first. */
  readonly methods: readonly string[];
  /** Shortest interval between two polls of the newest task, in milliseconds. */
  shortestPollInterval(): number;
  /** Closes the connection for the next requests with that method. */
  hangUpOn(method: string, times: number): void;
  /** How many such requests remain. */
  remaining(method: string): number;
  /** Ends the newest task. */
  finish(status: 'completed' | 'failed' | 'cancelled'): Promise<void>;
}

const askedOfTask: ElicitRequestFormParams = {
  message: 'Which tea?',
  requestedSchema: { type: 'object', properties: { tea: { type: 'string' } }, required: ['tea'] },
};

const anHour = 3_600_000;

/**
 * A server with version 1 of the official SDK whose tools only run as tasks (MCP 2025-11-25, `taskSupport: required`):
 * `study` reports progress until the test ends it; `choose` sends an elicitation first.
 */
export async function startTaskServer(): Promise<TaskServer> {
  const methods: string[] = [];
  const polls: number[] = [];
  const hangUps = new Map<string, number>();
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let finish: TaskServer['finish'] = () => Promise.reject(new Error('no task was begun'));
  const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });

  async function newSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const taskStore = new InMemoryTaskStore();
    const mcp = new McpServer(
      { name: 'tasks', version: '1' },
      {
        capabilities: { tools: {}, tasks: { cancel: {}, list: {}, requests: { tools: { call: {} } } } },
        taskStore,
        taskMessageQueue: new InMemoryTaskMessageQueue(),
      },
    );
    const register = (name: string, work: (taskId: string, elicit: () => Promise<unknown>) => Promise<void>): void => {
      mcp.experimental.tasks.registerToolTask(
        name,
        { execution: { taskSupport: 'required' } },
        {
          async createTask({ taskStore: store, sendRequest }) {
            const task = await store.createTask({ ttl: anHour, pollInterval: 1 });
            finish = async (status) => {
              if (status === 'cancelled') await store.updateTaskStatus(task.taskId, status);
              else
                await store.storeTaskResult(task.taskId, status, {
                  ...textResult(status),
                  isError: status === 'failed',
                });
            };
            const question = { method: 'elicitation/create' as const, params: askedOfTask };
            const elicit = () =>
              sendRequest(question, ElicitResultSchema, { relatedTask: { taskId: task.taskId } } as RequestOptions);
            void work(task.taskId, async () => {
              await store.updateTaskStatus(task.taskId, 'input_required');
              const answer = await elicit();
              await store.storeTaskResult(task.taskId, 'completed', textResult(JSON.stringify(answer)));
            });
            await store.updateTaskStatus(task.taskId, 'working', 'Reading\u001b[2J leaves');
            return { task };
          },
          getTask: ({ taskId, taskStore: store }) => store.getTask(taskId),
          getTaskResult: async ({ taskId, taskStore: store }) =>
            (await store.getTaskResult(taskId)) as ReturnType<typeof textResult>,
        },
      );
    };
    register('study', async () => {});
    register('choose', async (_, elicit) => void (await elicit()));
    await mcp.connect(transport);
    return transport;
  }

  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const message = (body === '' ? {} : JSON.parse(body)) as { method?: string };
      const method = message.method ?? '';
      if (method !== '') methods.push(method);
      if (method === 'tasks/get') polls.push(performance.now());
      const remaining = hangUps.get(method) ?? 0;
      if (remaining > 0) {
        hangUps.set(method, remaining - 1);
        return void request.socket.destroy();
      }
      const known = sessions.get(String(request.headers['mcp-session-id']));
      await (known ?? (await newSession())).handleRequest(request, response, body === '' ? undefined : message);
    })().catch(() => response.destroy());
  });
  const { origin } = await listenOnLoopback(server);
  afterTest(() => {
    server.closeAllConnections();
  });
  return {
    url: `${origin}/mcp`,
    methods,
    shortestPollInterval: () => Math.min(...polls.slice(1).map((at, index) => at - (polls[index] ?? 0))),
    hangUpOn: (method, times) => void hangUps.set(method, times),
    remaining: (method) => hangUps.get(method) ?? 0,
    finish: (status) => finish(status),
  };
}
