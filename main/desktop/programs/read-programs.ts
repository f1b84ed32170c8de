import type { ProgramView } from '../../../shared/program-view.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { ProgramsHere } from '../../programs/program-engine.ts';
import { knownPrograms } from '../../programs/records/other-program.ts';
import { faultAtAGlance, locateProgram } from '../../programs/table/locate-program.ts';
import { describeProgram } from '../views/describe-programs.ts';

/** The programs that are on this computer, in the order of the table, then those that people have added. Without a look inside. */
export async function readPrograms(
  engine: ProgramsHere,
  { pausedPrograms = [] }: Pick<Settings, 'pausedPrograms'>,
): Promise<ProgramView[]> {
  const known = await knownPrograms(engine);
  const [located, records, changes] = await Promise.all([
    Promise.all(known.map((program) => locateProgram(program, engine.files, engine.surroundings))),
    engine.records.list(),
    engine.backups.list(),
  ]);
  const here = located.filter(({ found }) => found);
  return await Promise.all(
    here.map(async ({ program, file, places }) => {
      const fault = await faultAtAGlance(engine.files, { file, places });
      const isPaused = pausedPrograms.includes(program.id);
      return describeProgram({ program, file, fault, isPaused, records, changes });
    }),
  );
}
