import type { IntegrationView } from '../../shared/integration-view.ts';
import { useSnapshots } from '../store.ts';
import { mayUse } from '../used-servers.ts';
import { words } from '../words.ts';
import { MadeChanges, useMadeFor } from './made-changes.tsx';
import { UseInPrograms } from './use-in-programs.tsx';

interface OfferProgramsProps {
  readonly integration: IntegrationView;
  readonly onLater: () => void;
}

/** At the end of a sign-in: the programs that do not use the server yet. */
export function OfferPrograms({ integration, onLater }: OfferProgramsProps) {
  const programs = useSnapshots((state) => state.programs) ?? [];
  const made = useMadeFor([integration.id]);
  const others = programs.filter((program) => !mayUse(program, integration.id));
  if (made) return <MadeChanges servers={[integration.id]} />;
  if (others.length === 0 || integration.state !== 'integrated') return null;
  return (
    <section className="section program-offer" aria-labelledby="program-offer">
      <h2 id="program-offer">{words.programs.offer(integration.name)}</h2>
      <UseInPrograms isOffer servers={[integration]} programs={others} onLater={onLater} />
    </section>
  );
}
