import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { sortIntegrations } from '../integrations/filter-integrations.ts';
import { useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';
import { describeProgram } from './describe-program.ts';
import { FoundPrograms } from './found-programs.tsx';
import { MissedQuestions } from './missed-questions.tsx';
import { OtherProgramDialog } from './other-program-dialog.tsx';
import './programs.css';

/** Every program that was found, with what it may use. */
export function ProgramsPage() {
  const integrations = useSnapshots((state) => state.integrations) ?? [];
  const servers = integrations.map(({ id }) => id);
  const now = useNow(60_000);
  const [isAdding, setAdding] = useState(false);
  return (
    <div className="page">
      <h1>{words.programs.title}</h1>
      <p className="soft">{words.programs.intro}</p>
      <MissedQuestions />
      <FoundPrograms>
        {(programs) => (
          <ul className="program-list">
            {programs.map((program) => (
              <li key={program.id}>
                <button type="button" className="program-row" onClick={() => show({ name: 'program', id: program.id })}>
                  <span className="program-name">{program.name}</span>
                  <span className="program-state">{describeProgram(program, servers, now)}</span>
                  <ChevronRight aria-hidden="true" size={15} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </FoundPrograms>
      {integrations.length > 0 && (
        <div>
          <Button onClick={() => setAdding(true)}>{words.programs.other.add}</Button>
        </div>
      )}
      {isAdding && (
        <OtherProgramDialog integrations={sortIntegrations(integrations)} onClose={() => setAdding(false)} />
      )}
    </div>
  );
}
