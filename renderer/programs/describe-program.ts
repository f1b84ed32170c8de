import type { ProgramView } from '../../shared/program-view.ts';
import { formatDistance } from '../moments.ts';
import { words } from '../words.ts';

/**
 * In a few words, how it stands with a program. `servers`: ids of those that are there; `now`: milliseconds since 1970.
 */
export function describeProgram(program: ProgramView, servers: readonly string[], now: number): string {
  const { uses, isRevoked, lastUsedAt } = program;
  const used = uses.filter((id) => servers.includes(id));
  if (used.length === 0) return isRevoked ? words.programs.revoked : words.programs.notSetUp;
  const state = words.programs.uses(used.length, servers.length);
  if (lastUsedAt === undefined) return state;
  return `${state} · ${words.programs.lastUsed(formatDistance(Math.min(lastUsedAt, now), now))}`;
}
