import { useEffect } from 'react';
import { create } from 'zustand';
import type * as knownServers from '../../shared/known-servers.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { words } from '../words.ts';

type Catalogue = typeof knownServers;

const useLoaded = create<{ readonly catalogue?: Catalogue }>()(() => ({}));

/** The services that are known; loaded once somebody looks at what needs them, and not with the window. */
export function useCatalogue(): Catalogue | undefined {
  const { catalogue } = useLoaded();
  useEffect(() => {
    if (catalogue === undefined)
      void import('../../shared/known-servers.ts').then((loaded) => useLoaded.setState({ catalogue: loaded }));
  }, [catalogue]);
  return catalogue;
}

/** The service whose server is at this address. */
export function useKnownServer(url: string | undefined): KnownServer | undefined {
  const catalogue = useCatalogue();
  return url === undefined ? undefined : catalogue?.findKnownServer(url);
}

type Table = Readonly<Record<string, string>>;

/** Who gave scopes, and which: a name alone means something else at each service. */
export interface ScopeContext {
  /** Name of the known service. */
  readonly service: string | undefined;
  /** Who signed the person in. */
  readonly issuer: string | undefined;
  /** All that were given or asked for together. */
  readonly among: readonly string[];
}

/** As Google's metadata publishes it. */
const googleIssuer = 'https://accounts.google.com';

/** What a scope allows, in words; `undefined` where only its own name is known. */
export function describeScope({ service, issuer, among }: ScopeContext, scope: string): string | undefined {
  const { openId, googleAccount, services } = words.permissions;
  const tables: readonly (Table | undefined)[] = [
    service === undefined ? undefined : (services as Readonly<Record<string, Table>>)[service],
    // Only with `openid` is it a request of OpenID Connect (Core 1.0 section 3.1.2.1).
    among.includes('openid') ? openId : undefined,
    issuer === googleIssuer ? googleAccount : undefined,
  ];
  return tables.map((table) => lookUp(table, scope)).find(Boolean);
}

/** A scope is a server's word, and may be that of a member that every object has. */
function lookUp(of: Table | undefined, scope: string): string | undefined {
  return of && Object.hasOwn(of, scope) ? of[scope] : undefined;
}
