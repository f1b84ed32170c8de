import { useEffect } from 'react';
import { create } from 'zustand';
import type * as knownServers from '../../shared/known-servers/find-known-server.ts';
import type * as nearServers from '../../shared/known-servers/find-near-servers.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';

type Catalogue = Pick<typeof knownServers, 'findByPage' | 'findKnownServer' | 'findMoved' | 'searchKnownServers'> &
  typeof nearServers;

const useLoaded = create<{ readonly catalogue?: Catalogue }>()(() => ({}));

/** The services that are known; loaded once somebody looks at what needs them, and not with the window. */
export function useCatalogue(): Catalogue | undefined {
  const { catalogue } = useLoaded();
  useEffect(() => {
    if (catalogue === undefined)
      void Promise.all([
        import('../../shared/known-servers/find-known-server.ts'),
        import('../../shared/known-servers/find-near-servers.ts'),
      ]).then(([servers, near]) => useLoaded.setState({ catalogue: { ...servers, ...near } }));
  }, [catalogue]);
  return catalogue;
}

/** The service whose server is at this address. */
export function useKnownServer(url: string | undefined): KnownServer | undefined {
  const catalogue = useCatalogue();
  return url === undefined ? undefined : catalogue?.findKnownServer(url);
}
