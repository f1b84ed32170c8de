import { useEffect, useRef, useState } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { postern } from '../postern.ts';

export type FoundServers = IpcOutput<'registry:search'>;

interface RegistrySearch {
  readonly busy: boolean;
  readonly found?: FoundServers;
  readonly error?: PlainError;
}

/** One search at a time; whoever leaves, or stops it, hears nothing of it any more, and main asks no further. */
export function useRegistrySearch() {
  const [shown, show] = useState<RegistrySearch>({ busy: false });
  const waiting = useRef<string>(undefined);
  const leave = (): void => {
    const call = waiting.current;
    waiting.current = undefined;
    if (call !== undefined) void postern.registry.stop({ call });
  };
  useEffect(() => leave, []);

  const search = async (words: string): Promise<void> => {
    leave();
    const call = crypto.randomUUID();
    waiting.current = call;
    show({ busy: true });
    const result = await postern.registry.search({ call, words });
    if (waiting.current !== call) return;
    waiting.current = undefined;
    show(result.ok ? { busy: false, found: result.value } : { busy: false, error: result.error });
  };
  const stop = (): void => {
    leave();
    show({ busy: false });
  };
  return { ...shown, search, stop };
}
