import { setTimeout as sleep } from 'node:timers/promises';
import {
  LOG_LEVEL_META_KEY,
  ProtocolError,
  specTypeSchemas,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/client';
import * as z from 'zod/mini';
import type { LogLevel } from '../../../shared/choices.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../errors/request-error.ts';
import { toolCall, toolTask } from '../../limits.ts';
import { withOriginalOutputSchema } from '../messages/repair-result.ts';
import type { ServerQuestions } from './server-questions.ts';

export type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** A tool call. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Inspects the tool before the call, if the server lists it, and throws to prevent the call. */
  readonly check?: ((tool: Tool) => void) | undefined;
  /** Default: `toolCall`. */
  readonly timeouts?: CallTimeouts | undefined;
}

/** HeaderMismatch: the server also wants arguments as header fields (MCP 2026-07-28, streamable HTTP). */
const headerMismatch = -32_020;

/** Every tool of a server. The library's cache is bypassed: it would only be another copy. Errors: the library's. */
export async function listToolsOf(client: Client, signal: AbortSignal): Promise<Tool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const { tools } = await client.listTools(undefined, { signal, cacheMode: 'bypass' });
  return tools.map((tool) => withOriginalOutputSchema(tool));
}

/**
 * Calls one tool, and repeats the call if the server first wants the user to complete a page (MCP 2025-11-25, URL
 * elicitation required). Errors: the library's.
 */
export async function callToolOf(
  client: Client,
  call: ToolCallParams,
  options: CallOptions,
): ReturnType<Client['callTool']> {
  await setLogLevel(client, options);
  if (await runsAsTask(client, call.name, options)) return await callAsTask(client, call, options);
  try {
    return await callOnce(client, call, options);
  } catch (error) {
    if (!(error instanceof UrlElicitationRequiredError) || error.elicitations.length === 0) throw error;
    for (const page of error.elicitations) {
      const { action } = await options.questions.answer({ ...page, mode: 'url' }, true);
      if (action !== 'accept') throw error;
    }
    return await callOnce(client, call, options);
  }
}

/** A tool that only runs as a task refuses other calls. Errors: the library's. */
async function runsAsTask(client: Client, name: string, { startedTask, signal }: CallOptions): Promise<boolean> {
  if (startedTask.id !== undefined) return true;
  if (!hasTasks(client)) return false;
  const tool = (await listToolsOf(client, signal)).find((listed) => listed.name === name);
  return tool?.execution?.taskSupport === 'required';
}

/** The session protocol has one log level for all calls (MCP 2025-11-25, logging). Errors: the library's. */
async function setLogLevel(client: Client, { logLevel, signal }: CallOptions): Promise<void> {
  if (logLevel === undefined || client.getProtocolEra() === 'modern' || !client.getServerCapabilities()?.logging)
    return;
  try {
    await client.setLoggingLevel(logLevel, { signal });
  } catch (error) {
    // A server without log levels can still work.
    if (!(error instanceof ProtocolError)) throw error;
  }
}

/**
 * The library never gets an `outputSchema`: it would compile and run it on this thread, and a pattern or a chain of
 * references could block it forever. Errors: the library's.
 */
async function callOnce(
  client: Client,
  call: ToolCallParams,
  { signal, callTimeout, onProgress, wantsLog = false, logLevel }: CallOptions,
): ReturnType<Client['callTool']> {
  const options = {
    signal: AbortSignal.any([signal, callTimeout.signal]),
    // We time calls ourselves: the library's timer would run while the user answers a question.
    timeout: toolCall.longest,
    onprogress: (progress: Progress): void => {
      callTimeout.noteActivity();
      if (!isFromLibrary(progress)) onProgress?.(progress);
    },
  };
  // The stateless protocol logs only for requests that ask for it (MCP 2026-07-28, logging).
  const isStateless = client.getProtocolEra() === 'modern';
  const callWithLogLevel =
    wantsLog && isStateless ? { ...call, _meta: { [LOG_LEVEL_META_KEY]: logLevel ?? 'info' } } : call;
  const callWithSchema = (inputSchema: Tool['inputSchema']) =>
    client.callTool(callWithLogLevel, { ...options, toolDefinition: { name: call.name, inputSchema } });
  try {
    return await callWithSchema({ type: 'object' });
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== headerMismatch) throw error;
    const tool = (await listToolsOf(client, signal)).find(({ name }) => name === call.name);
    if (!tool) throw error;
    return await callWithSchema(tool.inputSchema);
  }
}

/** The library reports its own rounds as server progress. */
function isFromLibrary({ message = '' }: Progress): boolean {
  return /^Fulfilling input required by '[^']*' \(round \d+\)$/u.test(message);
}

type ToolResult = Awaited<ReturnType<Client['callTool']>>;

/** The members of a task that we read (MCP 2025-11-25, tasks); `pollInterval` in milliseconds. */
const taskSchema = z.looseObject({
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.catch(z.optional(z.string()), undefined),
  pollInterval: z.catch(z.optional(z.number()), undefined),
});
const taskCreatedSchema = z.looseObject({ task: z.extend(taskSchema, { taskId: z.string() }) });

type Task = z.infer<typeof taskSchema>;

/** Whether the server has tools that run as tasks; not in the stateless protocol. */
function hasTasks(client: Client): boolean {
  const { tasks } = client.getServerCapabilities() ?? {};
  return client.getProtocolEra() !== 'modern' && tasks?.requests?.tools?.call !== undefined;
}

/**
 * Calls a tool as a task, polls it until it ends, and fetches its result. A lost connection does not end the task. If
 * the caller gives up, the task is canceled at the server. Errors: TASK_CANCELLED, else the library's.
 */
async function callAsTask(client: Client, call: ToolCallParams, options: CallOptions): Promise<ToolResult> {
  const { startedTask, callTimeout, onProgress } = options;
  const signal = AbortSignal.any([options.signal, callTimeout.signal]);
  const shortRequest = { signal, timeout: toolTask.response };
  let lastProgress = 0;
  let lastMessage: string | undefined;
  const onprogress = (progress: Progress): void => {
    callTimeout.noteActivity();
    lastProgress = progress.progress;
    onProgress?.(progress);
  };
  const reportStatus = ({ statusMessage: message }: Task): void => {
    callTimeout.noteActivity();
    if (message !== undefined && message !== lastMessage) onProgress?.({ progress: lastProgress, message });
    lastMessage = message;
  };
  const fetchTask = (taskId: string): Promise<Task> =>
    client.request({ method: 'tasks/get', params: { taskId } }, taskSchema, shortRequest);
  /** Carries the server's questions, and is held back until they are answered (`input_required`). */
  let result: Promise<ToolResult | undefined> | undefined;
  const fetchResult = async (taskId: string): Promise<ToolResult | undefined> => {
    const longRequest = { signal, timeout: toolTask.longest };
    try {
      return await client.request(
        { method: 'tasks/result', params: { taskId } },
        specTypeSchemas.CallToolResult,
        longRequest,
      );
    } catch (error) {
      result = undefined;
      return rethrowUnlessLost(error);
    }
  };
  try {
    let task: Task;
    let id = startedTask.id;
    if (id === undefined) {
      const created = await client.request({ method: 'tools/call', params: { ...call, task: {} } }, taskCreatedSchema, {
        ...shortRequest,
        onprogress,
      });
      task = created.task;
      id = startedTask.id = created.task.taskId;
    } else {
      task = await fetchTask(id);
    }
    for (;;) {
      reportStatus(task);
      if (task.status === 'cancelled') throw taskCancelledError(startedTask.host, call);
      if (task.status !== 'working') result ??= withHandledRejection(fetchResult(id));
      const pause = withHandledRejection(sleep(pollDelay(task), undefined, { signal, ref: false }));
      const settled = await Promise.race([result, pause].filter((promise) => promise !== undefined));
      if (settled) return settled;
      await pause;
      task = (await fetchTask(id).catch(rethrowUnlessLost)) ?? task;
    }
  } catch (error) {
    if (signal.aborted && startedTask.id !== undefined) await cancel(client, startedTask.id);
    throw error;
  }
}

function taskCancelledError(host: string, { name: tool }: ToolCallParams): PosternError {
  return new PosternError('TASK_CANCELLED', { stage: 'connection', detail: { host, tool } });
}

/** Prevents an unhandled rejection while something else is awaited. */
function withHandledRejection<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

/** The task continues at the server and is polled again. */
function rethrowUnlessLost(error: unknown): undefined {
  if (!(error instanceof UnsentRequest || error instanceof LostRequest)) throw error;
}

function pollDelay({ pollInterval = toolTask.poll }: Task): number {
  return Math.min(Math.max(pollInterval, toolTask.shortestPoll), toolTask.longestPoll);
}

/** Best effort, with a short timeout. */
async function cancel(client: Client, taskId: string): Promise<void> {
  const within = { timeout: toolTask.cancel };
  await client.request({ method: 'tasks/cancel', params: { taskId } }, z.looseObject({}), within).catch(() => {});
}

interface ToolCallParams {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** Progress of a long call (MCP 2025-11-25, progress). */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** The task started by a call: if the call is repeated after a sign-in, it continues waiting for this task. */
interface StartedTask {
  readonly host: string;
  id?: string;
}

interface CallOptions {
  readonly signal: AbortSignal;
  readonly callTimeout: CallTimeout;
  readonly questions: ServerQuestions;
  /** Request log messages for this call. */
  readonly wantsLog?: boolean;
  readonly logLevel?: LogLevel | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The task of this call, across repetitions. */
  readonly startedTask: StartedTask;
}

/** Time limits of a call in milliseconds: without any activity, and in total. */
interface CallTimeouts {
  readonly silence: number;
  readonly longest: number;
}

/**
 * Timeout of one call: progress extends it, and time in which the user answers a question does not count. Ends with
 * CALL_TIMED_OUT.
 */
export class CallTimeout {
  readonly #controller = new AbortController();
  readonly #timeouts: CallTimeouts;
  readonly #detail: { readonly host: string; readonly tool: string };
  readonly #totalTimer: NodeJS.Timeout;
  #silenceTimer: NodeJS.Timeout | undefined;
  #questions = 0;

  constructor(timeouts: CallTimeouts, detail: { readonly host: string; readonly tool: string }) {
    this.#timeouts = timeouts;
    this.#detail = detail;
    this.#totalTimer = setTimeout(() => this.#expire(timeouts.longest), timeouts.longest);
    this.noteActivity();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Resets the silence timer. */
  noteActivity(): void {
    clearTimeout(this.#silenceTimer);
    if (this.#questions > 0 || this.signal.aborted) return;
    this.#silenceTimer = setTimeout(() => this.#expire(this.#timeouts.silence), this.#timeouts.silence);
  }

  /** Runs `work` with the silence timer paused. */
  async pauseDuring<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#questions += 1;
    this.noteActivity();
    try {
      return await work();
    } finally {
      this.#questions -= 1;
      this.noteActivity();
    }
  }

  /** Stops all timers. */
  stop(): void {
    clearTimeout(this.#totalTimer);
    clearTimeout(this.#silenceTimer);
    this.#questions = 1;
  }

  #expire(milliseconds: number): void {
    const detail = { ...this.#detail, seconds: Math.round(milliseconds / 1_000) };
    this.stop();
    this.#controller.abort(new PosternError('CALL_TIMED_OUT', { stage: 'connection', detail }));
  }
}
