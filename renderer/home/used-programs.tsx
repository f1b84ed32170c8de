import { Button } from '../parts/button.tsx';
import { ProgramList } from '../programs/program-list.tsx';
import { useSnapshots } from '../store.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';

/** The programs that use a server, with how many each. */
export function UsedPrograms() {
  const programs = useSnapshots((state) => state.programs);
  const integrations = useSnapshots((state) => state.integrations);
  if (programs === undefined) return null;
  const used = programs.filter(({ uses }) => integrations?.some(({ id }) => uses.includes(id)));
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
