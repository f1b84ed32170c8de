import { setTimeout as sleep } from 'node:timers/promises';
import { specTypeSchemas } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { PosternError } from '../../postern-error.ts';
import { LostRequest, UnsentRequest } from '../../request-error.ts';
import { toolTask } from '../use-bounds.ts';
import type { CallOptions, NamedCall, Progress } from './tool-call.ts';

type ToolResult = Awaited<ReturnType<Client['callTool']>>;

/** What is taken of a task (MCP 2025-11-25, tasks); `pollInterval` in milliseconds. */
const taskSchema = z.looseObject({
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional().catch(undefined),
  pollInterval: z.number().optional().catch(undefined),
});
const createdSchema = z.looseObject({ task: taskSchema.extend({ taskId: z.string() }) });

type Task = z.infer<typeof taskSchema>;

/** Whether the server has tools that run as tasks; the stateless wire has none. */
export function hasTasks(client: Client): boolean {
  const { tasks } = client.getServerCapabilities() ?? {};
  return client.getProtocolEra() !== 'modern' && tasks?.requests?.tools?.call !== undefined;
}

/**
 * Calls a tool as a task, asks how far it is until it has ended, and fetches its result. A connection that is lost
 * meanwhile is no end. Once nobody waits, the server is told. Errors: TASK_CANCELLED, else the library's.
 */
export async function callAsTask(client: Client, call: NamedCall, options: CallOptions): Promise<ToolResult> {
  const { begun, patience, onProgress } = options;
  const signal = AbortSignal.any([options.signal, patience.signal]);
  const quick = { signal, timeout: toolTask.answer };
  let done = 0;
  let told: string | undefined;
  const onprogress = (progress: Progress): void => {
    patience.heard();
    done = progress.progress;
    onProgress?.(progress);
  };
  const tell = ({ statusMessage: message }: Task): void => {
    patience.heard();
    if (message !== undefined && message !== told) onProgress?.({ progress: done, message });
    told = message;
  };
  const ask = (taskId: string): Promise<Task> =>
    client.request({ method: 'tasks/get', params: { taskId } }, taskSchema, quick);
  /** With it come the questions of the server, and it is held back until they are answered (`input_required`). */
  let result: Promise<ToolResult | undefined> | undefined;
  const fetchResult = async (taskId: string): Promise<ToolResult | undefined> => {
    const within = { signal, timeout: toolTask.longest };
    try {
      return await client.request(
        { method: 'tasks/result', params: { taskId } },
        specTypeSchemas.CallToolResult,
        within,
      );
    } catch (error) {
      result = undefined;
      return unlessLost(error);
    }
  };
  try {
    let task: Task;
    let id = begun.id;
    if (id === undefined) {
      const created = await client.request({ method: 'tools/call', params: { ...call, task: {} } }, createdSchema, {
        ...quick,
        onprogress,
      });
      task = created.task;
      id = begun.id = created.task.taskId;
    } else {
      task = await ask(id);
    }
    for (;;) {
      tell(task);
      if (task.status === 'cancelled') throw cancelled(begun.host, call);
      if (task.status !== 'working') result ??= handled(fetchResult(id));
      const pause = handled(sleep(pauseOf(task), undefined, { signal, ref: false }));
      const ended = await Promise.race([result, pause].filter((one) => one !== undefined));
      if (ended) return ended;
      await pause;
      task = (await ask(id).catch(unlessLost)) ?? task;
    }
  } catch (error) {
    if (signal.aborted && begun.id !== undefined) await cancel(client, begun.id);
    throw error;
  }
}

function cancelled(host: string, { name: tool }: NamedCall): PosternError {
  return new PosternError('TASK_CANCELLED', { stage: 'connection', detail: { host, tool } });
}

/** The same, which may fail while something else is waited for. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

/** The task goes on at its server, and is asked for again. */
function unlessLost(error: unknown): undefined {
  if (!(error instanceof UnsentRequest || error instanceof LostRequest)) throw error;
}

function pauseOf({ pollInterval = toolTask.poll }: Task): number {
  return Math.min(Math.max(pollInterval, toolTask.shortest), toolTask.most);
}

/** Nobody waits long for the server to hear of it. */
async function cancel(client: Client, taskId: string): Promise<void> {
  const within = { timeout: toolTask.cancel };
  await client.request({ method: 'tasks/cancel', params: { taskId } }, z.looseObject({}), within).catch(() => {});
}
