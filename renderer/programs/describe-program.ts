import type { ProgramPreview, ProgramView } from '../../shared/program-view.ts';
import { formatDistance } from '../moments.ts';
import { words } from '../words.ts';

/**
 * In a few words, how it stands with a program. `servers`: ids of those that are there; `now`: milliseconds since 1970.
 */
export function describeProgram(program: ProgramView, servers: readonly string[], now: number): string {
  const { fault, uses, isRevoked, isPaused, lastUsedAt } = program;
  const used = uses.filter((id) => servers.includes(id));
  const unused = isRevoked ? words.programs.revoked : fault === undefined && words.programs.notSetUp;
  return [
    isPaused && words.programs.paused,
    used.length > 0 ? words.programs.uses(used.length, servers.length) : unused,
    fault !== undefined && words.programs.unreadable,
    used.length > 0 &&
      lastUsedAt !== undefined &&
      words.programs.lastUsed(formatDistance(Math.min(lastUsedAt, now), now)),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

/** When a program notices its change, and what else has to be known of it. */
export function describeNotice({ name, notice, note }: Pick<ProgramPreview, 'name' | 'notice' | 'note'>): string {
  const notices = words.programs.notices[notice](name);
  return note === undefined ? notices : `${notices} ${words.programs.notes[note](name)}`;
}
