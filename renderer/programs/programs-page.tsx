import { ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import { useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';
import { describeProgram } from './describe-program.ts';
import './programs.css';

/** Every program that was found, with what it may use. */
export function ProgramsPage() {
  const programs = useSnapshots((state) => state.programs);
  const integrations = useSnapshots((state) => state.integrations) ?? [];
  const servers = integrations.map(({ id }) => id);
  const now = useNow(60_000);
  useEffect(() => {
    // One may have been installed meanwhile.
    void postern.program.find();
  }, []);
  return (
    <div className="page">
      <h1>{words.programs.title}</h1>
      <p className="soft">{words.programs.intro}</p>
      {programs === undefined && <p role="status">{words.programs.looking}</p>}
      {programs?.length === 0 && (
        <div className="stack-tight">
          <p>{words.programs.none}</p>
          <p className="soft">{words.programs.noneNext}</p>
          <div>
            <Button onClick={() => void postern.program.find()}>{words.programs.lookAgain}</Button>
          </div>
        </div>
      )}
      {programs !== undefined && programs.length > 0 && (
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
    </div>
  );
}
