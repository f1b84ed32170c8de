import { create } from 'zustand';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IpcInput, IpcResult } from '../../shared/ipc-contract.ts';
import type { IpcEvent, Occasion } from '../../shared/ipc-event.ts';
import type { PromptMessageView, UnusablePart } from '../../shared/mcp-view.ts';
import type { QuestionRefusal } from '../../shared/question-view.ts';
import { postern } from '../postern.ts';
import type { Capability } from './capabilities.ts';
import type { JsonValue } from './schema-fields.ts';

export type CallProgress = Pick<Extract<IpcEvent, { event: 'progress' }>, 'progress' | 'total' | 'message'>;

export type LogLine = Pick<Extract<IpcEvent, { event: 'log' }>, 'level' | 'text'>;

/** One call made in the window: in flight, completed or failed. */
export interface Run {
  readonly call: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly isStopping?: boolean;
  readonly progress?: CallProgress;
  /** Log messages of the server during the call. */
  readonly log?: readonly LogLine[];
  /** Why elicitation requests were answered without the user. */
  readonly refused?: readonly QuestionRefusal[];
  readonly value?: CapabilityResult;
  readonly error?: PlainError;
  /** The arguments. */
  readonly values: RunRequest['values'];
  /** When the server last reported a change. Milliseconds since 1970. */
  readonly updatedAt?: number;
  /** The sign-in it was made with. */
  readonly signedInAt: number | undefined;
}

/** Results are large. */
const maxRuns = 10;

/** By server and capability, so that a run continues while another page is open. */
export const useRuns = create<Readonly<Record<string, Run | undefined>>>()(() => ({}));

export const runKey = (id: string, { kind, name }: Pick<Capability, 'kind' | 'name'>): string =>
  `${id} ${kind} ${name}`;

export async function startRun(key: string, run: Omit<RunRequest, 'call'>, signedInAt: number | undefined) {
  const call = crypto.randomUUID();
  begin(key, { call, startedAt: Date.now(), values: run.values, signedInAt });
  const unsubscribe = postern.onEvent((event) => {
    if (event.event === 'log' && event.call === call) {
      const { level, text } = event;
      change(call, ({ log = [] }) => ({ log: [...log, { level, text }] }));
    }
    if (event.event === 'refused-question' && event.call === call)
      change(call, ({ refused = [] }) => ({ refused: [...new Set([...refused, event.why])] }));
    if (event.event !== 'progress' || event.call !== call) return;
    const { event: _name, call: _call, ...progress } = event;
    change(call, { progress });
  });
  const result = await runCapability({ ...run, call });
  unsubscribe();
  change(call, { endedAt: Date.now(), ...(result.ok ? { value: result.value } : { error: result.error }) });
}

/** Reads a resource again whenever the server reports a change. Returns the unsubscribe function. */
export function followResource(id: string, call: string, uri: string): () => void {
  return subscribeToServer(id, { resource: uri }, (occasion) => {
    void postern.integration.readResource({ id, call, uri, quietly: true }).then((result) => {
      // A failed read keeps the shown result.
      if (!result.ok) return;
      const { content, ...rest } = result.value;
      const value: CapabilityResult = { isError: false, ...rest, parts: [{ content }] };
      change(call, (before) => {
        const isDifferent = occasion === 'changed' || JSON.stringify(before.value) !== JSON.stringify(value);
        return isDifferent ? { value, updatedAt: Date.now() } : {};
      });
    });
  });
}

export function stopRun({ call }: Run): void {
  change(call, { isStopping: true });
  void postern.integration.stopCall({ call });
}

function begin(key: string, state: Run): void {
  useRuns.setState((runs) => {
    const { [key]: _before, ...others } = runs;
    const recent = Object.entries(others).slice(-(maxRuns - 1));
    return { ...Object.fromEntries(recent), [key]: state };
  }, true);
}

/** Ignored if a newer call has replaced this one. */
function change(call: string, to: Partial<Run> | ((before: Run) => Partial<Run>)): void {
  const [key, state] = Object.entries(useRuns.getState()).find(([, run]) => run?.call === call) ?? [];
  if (key === undefined || !state) return;
  useRuns.setState({ [key]: { ...state, ...(typeof to === 'function' ? to(state) : to) } });
}

/**
 * Subscribes to changes of a server while the window is visible. Calls `read` once subscribed, and whenever the content
 * has or may have changed. Returns the unsubscribe function.
 */
export function subscribeToServer(
  id: string,
  of: IpcInput<'integration:follow'>['of'],
  read: (occasion: Occasion) => void,
): () => void {
  let call: string | undefined;
  let hasSubscribed = false;
  const stop = (): void => {
    if (call !== undefined) void postern.integration.stopCall({ call });
    call = undefined;
  };
  const update = (): void => {
    if (document.visibilityState === 'hidden') return stop();
    if (call !== undefined) return;
    call = crypto.randomUUID();
    void postern.integration.follow({ id, call, of });
  };
  const unsubscribe = postern.onEvent((event) => {
    if (event.event !== 'changed' || event.call !== call) return;
    read(hasSubscribed && event.occasion === 'first' ? 'again' : event.occasion);
    hasSubscribed = true;
  });
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    unsubscribe();
    stop();
  };
}

export interface CapabilityResult {
  /** The tool itself reported an error. */
  readonly isError: boolean;
  /** For an unknown tool: the one with the most similar name. */
  readonly meant?: string | undefined;
  /** For a resource: the expanded URI that was read. */
  readonly uri?: string;
  /** Invalid parts. */
  readonly unusable?: readonly UnusablePart[] | undefined;
  /** `role`: prompts only. */
  readonly parts: readonly {
    readonly role?: PromptMessageView['role'];
    readonly content: PromptMessageView['content'];
  }[];
}

interface RunRequest {
  readonly id: string;
  /** For cancelling it. */
  readonly call: string;
  readonly capability: Capability;
  /** For a resource: the URI, expanded by hand if the template could not be parsed. */
  readonly uri: string;
  readonly values: Record<string, JsonValue>;
  /** For a tool: skips argument validation. */
  readonly anyField?: boolean;
}

async function runCapability({
  id,
  call,
  capability,
  uri,
  values,
  anyField = false,
}: RunRequest): Promise<IpcResult<CapabilityResult>> {
  switch (capability.kind) {
    case 'tools': {
      const result = await postern.integration.callTool({
        id,
        call,
        name: capability.name,
        arguments: values,
        ...(anyField && { anyField }),
      });
      if (!result.ok) return result;
      const { content, ...rest } = result.value;
      return { ok: true, value: { ...rest, parts: [{ content }] } };
    }
    case 'resources': {
      const filled = capability.template === 'fields' ? { uri: capability.name, values: texts(values) } : { uri };
      const result = await postern.integration.readResource({ id, call, ...filled });
      if (!result.ok) return result;
      const { content, ...rest } = result.value;
      return { ok: true, value: { isError: false, ...rest, parts: [{ content }] } };
    }
    case 'prompts': {
      const result = await postern.integration.getPrompt({ id, call, name: capability.name, arguments: texts(values) });
      if (!result.ok) return result;
      const { messages, ...rest } = result.value;
      return { ok: true, value: { isError: false, ...rest, parts: messages } };
    }
  }
}

function texts(values: Record<string, JsonValue>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
