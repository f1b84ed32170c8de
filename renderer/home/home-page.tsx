import { useLayoutEffect } from 'react';
import { MissedQuestions } from '../programs/missed-questions.tsx';
import { useSnapshots } from '../store.ts';
import { leadOn } from '../view.ts';
import { words } from '../words.ts';
import { LastCalls } from './last-calls.tsx';
import { NeedingServers } from './needing-servers.tsx';
import { UsedPrograms } from './used-programs.tsx';
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
