import { Blocks } from 'lucide-react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { everyCall, filterCalls, programOf } from '../activity/filter-calls.ts';
import type { NumberedCall } from '../activity/use-activity.ts';
import { useUses } from '../used-servers.ts';
import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';

interface UsedByPartProps {
  readonly integration: IntegrationView;
  readonly calls: readonly NumberedCall[];
}

/** The programs that use the server, each with how often it called today. */
export function UsedByPart({ integration: { id }, calls }: UsedByPartProps) {
  const programs = useSnapshots((state) => state.programs);
  const isUsed = useUses();
  if (programs === undefined) return null;
  const today = new Date().setHours(0, 0, 0, 0);
  const mine = filterCalls(calls, { ...everyCall, server: id }).filter(({ at }) => at >= today);
  const users = programs.filter((program) => isUsed(program, id));
  const named = users.map((program) =>
    words.account.userCalls(program.name, mine.filter((call) => programOf(call) === program.id).length),
  );
  return (
    <section className="who" aria-label={words.account.usedBy}>
      <Blocks className="used-by-mark faint" aria-hidden="true" size={18} />
      <p className="who-text">
        {named.length > 0 ? (
          <>
            <span className="soft">{words.account.usedBy}</span> {named.join(', ')}
          </>
        ) : (
          <span className="soft">{words.account.usedByNone}</span>
        )}
      </p>
    </section>
  );
}
