import { useLayoutEffect } from 'react';
import { Button } from '../parts/button.tsx';
import { MissedQuestions } from '../programs/missed-questions.tsx';
import { ProgramList } from '../programs/program-list.tsx';
import { useUses } from '../used-servers.ts';
import { useSnapshots } from '../store.ts';
import { leadOn, show } from '../view.ts';
import { words } from '../words.ts';
import { LastCalls } from './last-calls.tsx';
import { NeedingServers } from './needing-servers.tsx';
import './home.css';

/** What there is to do, and what goes on. Without servers it is the page that connects the first. */
export function HomePage() {
  const isEmpty = useSnapshots((state) => state.integrations?.length === 0);
  useLayoutEffect(() => {
    // That page then stays: a server that comes from elsewhere takes nothing away that is being typed there.
    if (isEmpty) leadOn({ name: 'connect' });
  }, [isEmpty]);
  if (isEmpty) return null;
  return (
    <div className="page home">
      <h1>{words.home.title}</h1>
      <MissedQuestions />
      <NeedingServers />
      <UsedPrograms />
      <LastCalls />
    </div>
  );
}

/** The programs that use a server, with how many each. */
function UsedPrograms() {
  const programs = useSnapshots((state) => state.programs);
  const integrations = useSnapshots((state) => state.integrations);
  if (programs === undefined) return null;
  const isUsed = useUses();
  const used = programs.filter((program) => integrations?.some(({ id }) => isUsed(program, id)) || program.waiting);
  return (
    <section className="section" aria-labelledby="used-title">
      <h2 id="used-title">{words.home.programs}</h2>
      {used.length > 0 ? (
        <ProgramList programs={used} />
      ) : (
        <div className="home-none">
          <p className="soft">{words.home.noPrograms}</p>
          <Button onClick={() => show({ name: 'programs' })}>{words.activity.toPrograms}</Button>
        </div>
      )}
    </section>
  );
}
