import { useEffect } from 'react';
import { create } from 'zustand';
import type * as knownServers from '../../shared/known-servers.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { words } from '../words.ts';

type Catalog = typeof knownServers;

const useLoaded = create<{ readonly catalog?: Catalog }>()(() => ({}));

/** The known services. Loaded on first use, not with the window. */
export function useCatalog(): Catalog | undefined {
  const { catalog } = useLoaded();
  useEffect(() => {
    if (catalog === undefined)
      void import('../../shared/known-servers.ts').then((loaded) => useLoaded.setState({ catalog: loaded }));
  }, [catalog]);
  return catalog;
}

/** Searching the whole catalog takes a millisecond, and every row of a list asks at each drawing. */
const found = new Map<string, KnownServer | undefined>();

export function useKnownServer(url: string | undefined): KnownServer | undefined {
  const catalog = useCatalog();
  if (url === undefined || catalog === undefined) return undefined;
  if (!found.has(url)) found.set(url, catalog.findKnownServer(url));
  return found.get(url);
}

type Table = Readonly<Record<string, string>>;

/** Where scopes come from: the same name means different things at different services. */
export interface ScopeContext {
  /** Name of the known service. */
  readonly service: string | undefined;
  /** Issuer of the sign-in. */
  readonly issuer: string | undefined;
  /** All scopes granted or requested together. */
  readonly among: readonly string[];
}

/** As published in Google's metadata. */
const googleIssuer = 'https://accounts.google.com';

/** What a scope allows, in plain words; `undefined` if only its name is known. */
export function describeScope({ service, issuer, among }: ScopeContext, scope: string): string | undefined {
  const { openId, googleAccount, services } = words.permissions;
  const tables: readonly (Table | undefined)[] = [
    service === undefined ? undefined : (services as Readonly<Record<string, Table>>)[service],
    // Without `openid` it is not an OpenID Connect request (Core 1.0 section 3.1.2.1).
    among.includes('openid') ? openId : undefined,
    issuer === googleIssuer ? googleAccount : undefined,
  ];
  return tables.map((table) => lookUp(table, scope)).find(Boolean);
}

/** A server chooses the scope name, so it could be one inherited from `Object.prototype`. */
function lookUp(of: Table | undefined, scope: string): string | undefined {
  return of && Object.hasOwn(of, scope) ? of[scope] : undefined;
}
