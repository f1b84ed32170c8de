import type { ProgramPreview, ProgramView } from '../../shared/program-view.ts';
import { formatDistance } from '../moments.ts';
import { words } from '../words.ts';

/**
 * In a few words, how it stands with a program. `used`: how many of all servers; `now`: milliseconds since 1970.
 */
export function describeProgram(program: ProgramView, [used, all]: readonly [number, number], now: number): string {
  const { fault, isRevoked, isPaused, lastUsedAt, waiting = [] } = program;
  const unused = isRevoked
    ? words.programs.revoked
    : fault === undefined && waiting.length === 0 && words.programs.notSetUp;
  return [
    isPaused && words.programs.paused,
    used > 0 ? words.programs.uses(used, all) : unused,
    waiting.length > 0 && words.programs.waiting,
    fault !== undefined && words.programs.unreadable,
    used > 0 && lastUsedAt !== undefined && words.programs.lastUsed(formatDistance(Math.min(lastUsedAt, now), now)),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

/** When a program notices its change, and what else has to be known of it. */
export function describeNotice({
  name,
  notice,
  note,
  keptOut,
}: Pick<ProgramPreview, 'name' | 'notice' | 'note' | 'keptOut'>): string {
  if (keptOut !== undefined) return words.programs.keptOut(name, keptOut);
  const notices = words.programs.notices[notice](name);
  return note === undefined ? notices : `${notices} ${words.programs.notes[note](name)}`;
}
