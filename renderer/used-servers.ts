import { useShallow } from 'zustand/shallow';
import type { IntegrationView } from '../shared/integration-view.ts';
import type { ProgramView } from '../shared/program-view.ts';
import { useSnapshots } from './store.ts';

/** What programs may use: a server, or a collection, whose id is its name behind a `+`. */
export type Used = Pick<IntegrationView, 'id' | 'name'>;

/** Those of `ids` that are there. */
export const useUsed = (ids: readonly string[] | undefined): readonly Used[] =>
  useSnapshots(
    useShallow(({ integrations = [], collections = [] }) =>
      [...integrations, ...collections].filter(({ id }) => ids?.includes(id)),
    ),
  );

export const isCollection = (id: string): boolean => id.startsWith('+');

/** Whether a program uses a server, by an entry of its own or of a collection. */
export function useUses(): (program: Pick<ProgramView, 'uses'>, server: string) => boolean {
  const collections = useSnapshots((state) => state.collections) ?? [];
  return ({ uses }, server) =>
    uses.includes(server) || collections.some(({ id, members }) => uses.includes(id) && members.includes(server));
}

/** The switch is on: it may use it, though it may still wait for its lines. */
export function mayUse({ uses, waiting = [] }: Pick<ProgramView, 'uses' | 'waiting'>, server: string): boolean {
  return uses.includes(server) || waiting.includes(server);
}

/** How many servers a program uses, of how many. */
export function useCounts(): (program: ProgramView) => readonly [number, number] {
  const servers = useSnapshots((state) => state.integrations) ?? [];
  const isUsed = useUses();
  return (program) => [servers.filter(({ id }) => isUsed(program, id)).length, servers.length];
}
