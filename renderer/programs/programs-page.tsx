import { useState } from 'react';
import { sortIntegrations } from '../integrations/filter-integrations.ts';
import { Button } from '../parts/button.tsx';
import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';
import { CollectionsPart } from './collections-part.tsx';
import { FoundPrograms } from './found-programs.tsx';
import { MissedQuestions } from './missed-questions.tsx';
import { OtherProgramDialog } from './other-program-dialog.tsx';
import { ProgramList } from './program-list.tsx';
import './programs.css';

/** Every program that was found, with what it may use. */
export function ProgramsPage() {
  const integrations = useSnapshots((state) => state.integrations) ?? [];
  const [isAdding, setAdding] = useState(false);
  return (
    <div className="page">
      <h1>{words.programs.title}</h1>
      <p className="soft">{words.programs.intro}</p>
      <MissedQuestions />
      <FoundPrograms>{(programs) => <ProgramList programs={programs} />}</FoundPrograms>
      {integrations.length > 0 && (
        <>
          <div>
            <Button onClick={() => setAdding(true)}>{words.programs.other.add}</Button>
          </div>
          <CollectionsPart />
        </>
      )}
      {isAdding && (
        <OtherProgramDialog integrations={sortIntegrations(integrations)} onClose={() => setAdding(false)} />
      )}
    </div>
  );
}
