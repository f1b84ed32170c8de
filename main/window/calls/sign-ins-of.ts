import type { KeptSignIn } from '../../../shared/server-history.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** The last sign-ins of a connection or an integration, newest first: of this run, and what is kept of those before. */
export async function signInsOf({ connections, board, history }: DesktopContext, id: string): Promise<KeptSignIn[]> {
  const connection = connections.find((candidate) => candidate.id === id);
  const last = connection?.attempt ?? connections.ofIntegration(id)?.attempt ?? board.of(id).lastSignIn;
  const kept = connection ? [] : (await history.read(id)).signIns;
  if (!last) return [...kept];
  const entries = [...last.trace.entries()];
  return [...(entries.length > 0 ? [{ at: last.at, entries }] : []), ...kept.filter(({ at }) => at !== last.at)];
}
