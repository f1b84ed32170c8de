import type { ProgramView } from '../../shared/program-view.ts';
import { words } from '../words.ts';

/** In a few words, how it stands with a program. `servers`: ids of those that are there. */
export function describeProgram({ uses, isRevoked }: ProgramView, servers: readonly string[]): string {
  const used = uses.filter((id) => servers.includes(id));
  if (used.length > 0) return words.programs.uses(used.length, servers.length);
  return isRevoked ? words.programs.revoked : words.programs.notSetUp;
}
