import { useCallback, useRef, useState } from 'react';
import type { PlainError } from '../shared/error-codes.ts';
import type { IpcResult, PosternApi } from '../shared/ipc-contract.ts';
import type { ProgramView } from '../shared/program-view.ts';

declare global {
  interface Window {
    /** Put there by the preload. */
    readonly postern: PosternApi;
  }
}

export const postern: PosternApi = window.postern;

export interface Call<Value> {
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  readonly value: Value | undefined;
  /**
   * Answers the value, or `undefined` after an error, which then stands in `error`. Where a later call has begun
   * meanwhile it never answers: what would follow belongs to that one.
   */
  readonly run: (make: () => Promise<IpcResult<Value>>) => Promise<Value | undefined>;
  readonly clear: () => void;
}

/** A call to main, with its error kept for the place that shows it. Of several under way the last one counts. */
export function useCall<Value>(): Call<Value> {
  const [state, setState] = useState<{ busy: boolean; error?: PlainError; value?: Value }>({ busy: false });
  const newest = useRef(0);
  const run = useCallback(async (make: () => Promise<IpcResult<Value>>) => {
    const own = (newest.current += 1);
    setState((before) => ({ busy: true, ...(before.value !== undefined && { value: before.value }) }));
    const result = await make();
    if (own !== newest.current) return await new Promise<never>(() => {});
    setState(result.ok ? { busy: false, value: result.value } : { busy: false, error: result.error });
    return result.ok ? result.value : undefined;
  }, []);
  const clear = useCallback(() => setState(({ busy }) => ({ busy })), []);
  return { busy: state.busy, error: state.error, value: state.value, run, clear };
}

/** Pauses a program, or lets it go on. */
export function usePause({ id, isPaused }: Pick<ProgramView, 'id' | 'isPaused'>) {
  const { run, ...call } = useCall<null>();
  return { ...call, turn: () => void run(() => postern.program.pause({ program: id, paused: !isPaused })) };
}
