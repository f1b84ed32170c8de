import { words } from '../words.ts';

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a scope allows at the known service of that name, in words; `undefined` where only its own name is known. */
export function describeScope(service: string | undefined, scope: string): string | undefined {
  const table: Table = words.permissions;
  return (service !== undefined && lookUp(table[service], scope)) || lookUp(table['everywhere'], scope);
}

/** A scope is a server's word, and may be that of a member that every object has. */
function lookUp(of: Readonly<Record<string, string>> | undefined, scope: string): string | undefined {
  return of && Object.hasOwn(of, scope) ? of[scope] : undefined;
}
