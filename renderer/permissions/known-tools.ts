import { useEffect } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { postern, useCall } from '../postern.ts';
import { formatMoment, words } from '../words.ts';

type KnownTools = IpcOutput<'integration:knownTools'>;

/** The tools as last listed, while the server cannot be used (`isNeeded`); `undefined`: none are known. */
export function useKnownTools(id: string, isNeeded: boolean): KnownTools | undefined {
  const { value, run } = useCall<KnownTools>();
  useEffect(() => {
    if (isNeeded) void run(() => postern.integration.knownTools({ id }));
  }, [run, id, isNeeded]);
  return isNeeded && value && value.tools.length > 0 ? value : undefined;
}

export function describeKnown({ listedAt }: KnownTools): string {
  return words.tools.lastKnown(listedAt === undefined ? undefined : formatMoment(listedAt, Date.now()));
}
