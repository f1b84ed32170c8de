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
import { asListed } from '../messages/repair-result.ts';
import type { ServerQuestions } from './server-questions.ts';

export type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** A tool and what it is given. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Looks at the tool before it is called, where the server lists it, and throws what speaks against the call. */
  readonly check?: ((tool: Tool) => void) | undefined;
  /** `toolCall` without it. */
  readonly patience?: Patience | undefined;
}

/** HeaderMismatch: the server wants arguments in header fields too (MCP 2026-07-28, streamable HTTP). */
const headerMismatch = -32_020;

/** Every tool of a server. The library is asked to keep none: it would only be one more copy. Errors: the library's. */
export async function listToolsOf(client: Client, signal: AbortSignal): Promise<Tool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const { tools } = await client.listTools(undefined, { signal, cacheMode: 'bypass' });
  return tools.map((tool) => asListed(tool));
}

/**
 * Calls one tool, and once more where the server wants the person to go through a page of its own first (MCP 2025-11-25,
 * URL elicitation required). Errors: the library's.
 */
export async function callToolOf(
  client: Client,
  call: NamedCall,
  options: CallOptions,
): ReturnType<Client['callTool']> {
  await setLevel(client, options);
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

/** A tool that runs as a task alone is refused to whoever calls it otherwise. Errors: the library's. */
async function runsAsTask(client: Client, name: string, { begun, signal }: CallOptions): Promise<boolean> {
  if (begun.id !== undefined) return true;
  if (!hasTasks(client)) return false;
  const tool = (await listToolsOf(client, signal)).find((listed) => listed.name === name);
  return tool?.execution?.taskSupport === 'required';
}

/** The wire with sessions has one level for all of them (MCP 2025-11-25, logging). Errors: the library's. */
async function setLevel(client: Client, { logLevel, signal }: CallOptions): Promise<void> {
  if (logLevel === undefined || client.getProtocolEra() === 'modern' || !client.getServerCapabilities()?.logging)
    return;
  try {
    await client.setLoggingLevel(logLevel, { signal });
  } catch (error) {
    // One that knows no levels can still do its work.
    if (!(error instanceof ProtocolError)) throw error;
  }
}

/**
 * What the library knows of a tool has never an `outputSchema`: it would compile that and run it on this thread, and a
 * pattern or a chain of references can keep it busy for ever. Errors: the library's.
 */
async function callOnce(
  client: Client,
  call: NamedCall,
  { signal, patience, onProgress, wantsLog = false, logLevel }: CallOptions,
): ReturnType<Client['callTool']> {
  const options = {
    signal: AbortSignal.any([signal, patience.signal]),
    // The time is ours: the library's would run while a person answers a question of the server.
    timeout: toolCall.longest,
    onprogress: (progress: Progress): void => {
      patience.heard();
      if (!isOfLibrary(progress)) onProgress?.(progress);
    },
  };
  // The stateless wire has no log but for a request that asks for it (MCP 2026-07-28, logging).
  const isModern = client.getProtocolEra() === 'modern';
  const named = wantsLog && isModern ? { ...call, _meta: { [LOG_LEVEL_META_KEY]: logLevel ?? 'info' } } : call;
  const withInput = (inputSchema: Tool['inputSchema']) =>
    client.callTool(named, { ...options, toolDefinition: { name: call.name, inputSchema } });
  try {
    return await withInput({ type: 'object' });
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== headerMismatch) throw error;
    const tool = (await listToolsOf(client, signal)).find(({ name }) => name === call.name);
    if (!tool) throw error;
    return await withInput(tool.inputSchema);
  }
}

/** The library tells of its own rounds as if the server had. */
function isOfLibrary({ message = '' }: Progress): boolean {
  return /^Fulfilling input required by '[^']*' \(round \d+\)$/u.test(message);
}

type ToolResult = Awaited<ReturnType<Client['callTool']>>;

/** What is taken of a task (MCP 2025-11-25, tasks); `pollInterval` in milliseconds. */
const taskSchema = z.looseObject({
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.catch(z.optional(z.string()), undefined),
  pollInterval: z.catch(z.optional(z.number()), undefined),
});
const createdSchema = z.looseObject({ task: z.extend(taskSchema, { taskId: z.string() }) });

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

export interface NamedCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** What a server says of a call that takes its time (MCP 2025-11-25, progress). */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** The task that one call has begun: where the call is made once more, after a sign-in, it is waited for and not begun anew. */
export interface BegunTask {
  readonly host: string;
  id?: string;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly patience: CallPatience;
  readonly questions: ServerQuestions;
  /** Somebody reads what the server writes down meanwhile. */
  readonly wantsLog?: boolean;
  readonly logLevel?: LogLevel | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Of this call, however often it is made. */
  readonly begun: BegunTask;
}

/** Milliseconds that a call gets: in which nothing is heard of it, and in all. */
export interface Patience {
  readonly silence: number;
  readonly longest: number;
}

/**
 * How long somebody waits for one call: progress prolongs it, and the time in which a person answers a question of the
 * server does not count as silence. Ends with CALL_TIMED_OUT.
 */
export class CallPatience {
  readonly #end = new AbortController();
  readonly #patience: Patience;
  readonly #detail: { readonly host: string; readonly tool: string };
  readonly #whole: NodeJS.Timeout;
  #quiet: NodeJS.Timeout | undefined;
  #questions = 0;

  constructor(patience: Patience, detail: { readonly host: string; readonly tool: string }) {
    this.#patience = patience;
    this.#detail = detail;
    this.#whole = setTimeout(() => this.#expire(patience.longest), patience.longest);
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** The server has said something about the call. */
  heard(): void {
    clearTimeout(this.#quiet);
    if (this.#questions > 0 || this.signal.aborted) return;
    this.#quiet = setTimeout(() => this.#expire(this.#patience.silence), this.#patience.silence);
  }

  /** Runs `work`, in which the server is not waited for. */
  async without<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#questions += 1;
    this.heard();
    try {
      return await work();
    } finally {
      this.#questions -= 1;
      this.heard();
    }
  }

  /** Nobody waits any more. */
  stop(): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#quiet);
    this.#questions = 1;
  }

  #expire(milliseconds: number): void {
    const detail = { ...this.#detail, seconds: Math.round(milliseconds / 1_000) };
    this.stop();
    this.#end.abort(new PosternError('CALL_TIMED_OUT', { stage: 'connection', detail }));
  }
}
