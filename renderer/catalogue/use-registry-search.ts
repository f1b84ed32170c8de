import { useEffect, useRef, useState } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { postern } from '../postern.ts';
import { lookedAt, useKept } from '../use-kept.ts';

export type FoundServers = IpcOutput<'registry:search'>;

interface Kept {
  readonly found?: FoundServers;
}

const nothing: Kept = {};

interface RegistrySearch {
  readonly busy: boolean;
  readonly error?: PlainError;
}

/**
 * One search of `registry` for `words` at a time; what was found is still there when the page is shown again. Whoever leaves, or stops it, hears nothing of it any more, and main asks
 * no further.
 */
export function useRegistrySearch(registry: string, words: string) {
  const [{ found }, keep] = useKept('page', lookedAt(`found in ${registry} for ${words}`), nothing);
  const [shown, show] = useState<RegistrySearch>({ busy: false });
  const waiting = useRef<string>(undefined);
  const leave = (): void => {
    const call = waiting.current;
    waiting.current = undefined;
    if (call !== undefined) void postern.registry.stop({ call });
  };
  useEffect(() => leave, []);

  const search = async (): Promise<void> => {
    leave();
    const call = crypto.randomUUID();
    waiting.current = call;
    show({ busy: true });
    const result = await postern.registry.search({ call, words });
    if (waiting.current !== call) return;
    waiting.current = undefined;
    if (result.ok) keep({ found: result.value });
    show(result.ok ? { busy: false } : { busy: false, error: result.error });
  };
  const stop = (): void => {
    leave();
    keep(nothing);
    show({ busy: false });
  };
  return { ...shown, found, search, stop };
}
