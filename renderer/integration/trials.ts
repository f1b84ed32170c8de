import { create } from 'zustand';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IpcInput, IpcResult } from '../../shared/ipc-contract.ts';
import type { IpcEvent, Occasion } from '../../shared/ipc-event.ts';
import type { PromptMessageView, UnusablePart } from '../../shared/mcp-view.ts';
import type { RefusedQuestion } from '../../shared/question-view.ts';
import { postern } from '../postern.ts';
import type { Offer } from './offers.ts';
import type { JsonValue } from './schema-fields.ts';

export type CallProgress = Pick<Extract<IpcEvent, { event: 'progress' }>, 'progress' | 'total' | 'message'>;

export type LogLine = Pick<Extract<IpcEvent, { event: 'log' }>, 'level' | 'text'>;

/** One call of a tool: under way, answered or failed. */
export interface TrialState {
  readonly call: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly isStopping?: boolean;
  readonly progress?: CallProgress;
  /** What the server wrote into its log meanwhile. */
  readonly log?: readonly LogLine[];
  /** Why questions of the server were answered without the person. */
  readonly refused?: readonly RefusedQuestion[];
  readonly value?: OfferResult;
  readonly error?: PlainError;
  /** What was entered. */
  readonly values: Trial['values'];
  /** When the server last said that it changed. */
  readonly updatedAt?: number;
  /** The sign-in that it was made under. */
  readonly signedInAt: number | undefined;
}

/** Results are large. */
const most = 10;

/** By the place where each was made, so that it goes on and is still there while something else is looked at. */
export const useTrials = create<Readonly<Record<string, TrialState | undefined>>>()(() => ({}));

export async function startTrial(place: string, trial: Omit<Trial, 'call'>, signedInAt: number | undefined) {
  const call = crypto.randomUUID();
  begin(place, { call, startedAt: Date.now(), values: trial.values, signedInAt });
  const unfollow = postern.onEvent((event) => {
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
  const result = await tryOffer({ ...trial, call });
  unfollow();
  change(call, { endedAt: Date.now(), ...(result.ok ? { value: result.value } : { error: result.error }) });
}

/** Reads a resource anew each time that the server says that it changed. Answers how to end that. */
export function followTrial(id: string, call: string, uri: string): () => void {
  return followServer(id, { resource: uri }, (occasion) => {
    void postern.integration.readResource({ id, call, uri, quietly: true }).then((result) => {
      // One that fails leaves what is in sight.
      if (!result.ok) return;
      const { content, ...rest } = result.value;
      const value: OfferResult = { isError: false, ...rest, parts: [{ content }] };
      change(call, (before) => {
        const isOther = occasion === 'said' || JSON.stringify(before.value) !== JSON.stringify(value);
        return isOther ? { value, updatedAt: Date.now() } : {};
      });
    });
  });
}

export function stopTrial({ call }: TrialState): void {
  change(call, { isStopping: true });
  void postern.integration.stopCall({ call });
}

function begin(place: string, state: TrialState): void {
  useTrials.setState((trials) => {
    const { [place]: _before, ...others } = trials;
    const kept = Object.entries(others).slice(-(most - 1));
    return { ...Object.fromEntries(kept), [place]: state };
  }, true);
}

/** One that another call has taken the place of changes nothing. */
function change(call: string, to: Partial<TrialState> | ((before: TrialState) => Partial<TrialState>)): void {
  const [place, state] = Object.entries(useTrials.getState()).find(([, trial]) => trial?.call === call) ?? [];
  if (place === undefined || !state) return;
  useTrials.setState({ [place]: { ...state, ...(typeof to === 'function' ? to(state) : to) } });
}

/**
 * Follows what a server says has changed, for as long as the window can be seen. `read` is called once it is followed,
 * and whenever it is, or may be, another one. Answers how to end it.
 */
export function followServer(
  id: string,
  of: IpcInput<'integration:follow'>['of'],
  read: (occasion: Occasion) => void,
): () => void {
  let call: string | undefined;
  let hasFollowed = false;
  const stop = (): void => {
    if (call !== undefined) void postern.integration.stopCall({ call });
    call = undefined;
  };
  const review = (): void => {
    if (document.visibilityState === 'hidden') return stop();
    if (call !== undefined) return;
    call = crypto.randomUUID();
    void postern.integration.follow({ id, call, of });
  };
  const unlisten = postern.onEvent((event) => {
    if (event.event !== 'changed' || event.call !== call) return;
    read(hasFollowed && event.occasion === 'first' ? 'again' : event.occasion);
    hasFollowed = true;
  });
  document.addEventListener('visibilitychange', review);
  review();
  return () => {
    document.removeEventListener('visibilitychange', review);
    unlisten();
    stop();
  };
}

export interface OfferResult {
  /** The tool itself says that it failed. */
  readonly isError: boolean;
  /** Of a tool that is not there: the one that was probably meant. */
  readonly meant?: string | undefined;
  /** Of a resource: what was read, with its gaps filled. */
  readonly uri?: string;
  /** What of it is not valid. */
  readonly unusable?: readonly UnusablePart[] | undefined;
  /** `role` of prompts only. */
  readonly parts: readonly {
    readonly role?: PromptMessageView['role'];
    readonly content: PromptMessageView['content'];
  }[];
}

interface Trial {
  readonly id: string;
  /** By which it can be stopped. */
  readonly call: string;
  readonly offer: Offer;
  /** Of a resource, with its gaps filled where that was done by hand. */
  readonly uri: string;
  readonly values: Record<string, JsonValue>;
  /** Of a tool: whether they fit what it takes or not. */
  readonly anyField?: boolean;
}

/** Calls the tool, reads the resource or fills in the prompt. */
async function tryOffer({ id, call, offer, uri, values, anyField = false }: Trial): Promise<IpcResult<OfferResult>> {
  switch (offer.kind) {
    case 'tools': {
      const result = await postern.integration.callTool({
        id,
        call,
        name: offer.name,
        arguments: values,
        ...(anyField && { anyField }),
      });
      if (!result.ok) return result;
      const { content, ...rest } = result.value;
      return { ok: true, value: { ...rest, parts: [{ content }] } };
    }
    case 'resources': {
      const filled = offer.template === 'fields' ? { uri: offer.name, values: texts(values) } : { uri };
      const result = await postern.integration.readResource({ id, call, ...filled });
      if (!result.ok) return result;
      const { content, ...rest } = result.value;
      return { ok: true, value: { isError: false, ...rest, parts: [{ content }] } };
    }
    case 'prompts': {
      const result = await postern.integration.getPrompt({ id, call, name: offer.name, arguments: texts(values) });
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
