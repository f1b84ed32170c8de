import { ChevronRight } from 'lucide-react';
import type { ProgramView } from '../../shared/program-view.ts';
import { useNow } from '../moments.ts';
import { show } from '../view.ts';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { describeProgram } from './describe-program.ts';
import { useCounts } from '../used-servers.ts';
import './programs.css';

/** Programs, each with how it stands with it; a click opens its page. */
export function ProgramList({ programs }: { readonly programs: readonly ProgramView[] }) {
  const countsOf = useCounts();
  const now = useNow(60_000);
  return (
    <ul className="program-list">
      {programs.map((program) => (
        <li key={program.id}>
          <button type="button" className="program-row" onClick={() => show({ name: 'program', id: program.id })}>
            <ServiceIcon name={program.name} size="small" />
            <span className="program-name">{program.name}</span>
            <span className="program-state">{describeProgram(program, countsOf(program), now)}</span>
            <ChevronRight aria-hidden="true" size={15} />
          </button>
        </li>
      ))}
    </ul>
  );
}
