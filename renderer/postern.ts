import { useCallback, useEffect, useRef, useState } from 'react';
import type { PlainError } from '../shared/error-codes.ts';
import type { IpcResult, PosternApi } from '../shared/ipc-contract.ts';
import type { AppView } from '../shared/app-view.ts';

declare global {
  interface Window {
    /** Provided by the preload script. */
    readonly postern: PosternApi;
  }
}

export const postern: PosternApi = window.postern;

export interface Call<Value> {
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  readonly value: Value | undefined;
  /**
   * Resolves to the value, or to `undefined` after an error, which is then in `error`. Never resolves once a newer call
   * has started, so that only the newest continues.
   */
  readonly run: (make: () => Promise<IpcResult<Value>>) => Promise<Value | undefined>;
  readonly clear: () => void;
}

/** A call to main with its state. With several in flight, only the newest counts. */
export function useCall<Value>(): Call<Value> {
  const [state, setState] = useState<{ busy: boolean; error?: PlainError; value?: Value }>({ busy: false });
  const newest = useRef(0);
  const run = useCallback(async (make: () => Promise<IpcResult<Value>>) => {
    const callNumber = (newest.current += 1);
    setState((before) => ({ busy: true, ...(before.value !== undefined && { value: before.value }) }));
    const result = await make();
    if (callNumber !== newest.current) return await new Promise<never>(() => {});
    setState(result.ok ? { busy: false, value: result.value } : { busy: false, error: result.error });
    return result.ok ? result.value : undefined;
  }, []);
  const clear = useCallback(() => setState(({ busy }) => ({ busy })), []);
  return { busy: state.busy, error: state.error, value: state.value, run, clear };
}

/** On a page that shows which apps use what: searches for apps and their entries, which may have changed since. */
export function useAppSearch(): void {
  useEffect(() => void postern.app.find(), []);
}

/** Pauses or resumes an app. */
export function usePause({ id, isPaused }: Pick<AppView, 'id' | 'isPaused'>) {
  const { run, ...call } = useCall<null>();
  return { ...call, toggle: () => void run(() => postern.app.pause({ app: id, paused: !isPaused })) };
}
