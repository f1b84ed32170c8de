import { useCallback, useState } from 'react';
import type { PlainError } from '../shared/error-codes.ts';
import type { IpcResult } from '../shared/postern-api.ts';

export interface Call<Value> {
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  readonly value: Value | undefined;
  /** Answers the value, or `undefined` after an error, which then stands in `error`. */
  readonly run: (make: () => Promise<IpcResult<Value>>) => Promise<Value | undefined>;
  readonly clear: () => void;
}

/** One call at a time to main, with its error kept for the place that shows it. */
export function useCall<Value>(): Call<Value> {
  const [state, setState] = useState<{ busy: boolean; error?: PlainError; value?: Value }>({ busy: false });
  const run = useCallback(async (make: () => Promise<IpcResult<Value>>) => {
    setState((before) => ({ busy: true, ...(before.value !== undefined && { value: before.value }) }));
    const result = await make();
    setState(result.ok ? { busy: false, value: result.value } : { busy: false, error: result.error });
    return result.ok ? result.value : undefined;
  }, []);
  const clear = useCallback(() => setState({ busy: false }), []);
  return { busy: state.busy, error: state.error, value: state.value, run, clear };
}
