import type { ProgramOutcomes, ProgramPreview, ProgramView } from '../../../shared/program-view.ts';
import type { Settings } from '../../../shared/settings.ts';
import { displayText } from '../../address/display-text.ts';
import { locateProgram } from '../../programs/table/locate-program.ts';
import { actionOf, isEmpty } from '../../programs/change/make-change.ts';
import { toPlainError } from '../../plain-error.ts';
import type { EditorProfile } from '../../programs/plan/editor-profiles.ts';
import type { PlannedChange } from '../../programs/plan/planned-change.ts';
import type { ProgramsHere } from '../../programs/program-engine.ts';
import { lastUseOf } from '../../programs/records/program-records.ts';
import { knownPrograms } from '../../programs/records/other-program.ts';

/** Characters of one line of a preview. */
const lineLength = 2_000;

/** The programs that are on this computer, in the order of the table, then those that people have added. Without a look inside. */
export async function describePrograms(
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
      const fault = places[0]?.isThere === true ? await engine.files.faultAtAGlance(file) : undefined;
      const own = records.filter((record) => record.program === program.id);
      const standing = own.filter(({ revokedAt }) => revokedAt === undefined);
      const lastUsedAt = lastUseOf(own);
      const change = changes.find((each) => each.program === program.id && each.undoneAt === undefined);
      return {
        id: program.id,
        name: displayText(program.name),
        path: displayText(file.path, lineLength),
        ...(fault && { fault: toPlainError(fault) }),
        ...(program.hasProfiles && { hasProfiles: true as const }),
        uses: [...new Set(standing.flatMap(({ integrations }) => integrations))],
        isRevoked: own.length > 0 && standing.length === 0,
        isPaused: pausedPrograms.includes(program.id),
        ...(lastUsedAt !== undefined && { lastUsedAt }),
        ...(change && {
          lastChange: { id: change.id, at: change.at, names: change.names.map((name) => displayText(name)) },
        }),
      };
    }),
  );
}

/** What a person sees before it is made. */
export function describePreview(
  token: string,
  planned: PlannedChange,
  profiles: readonly EditorProfile[] = [],
): ProgramPreview {
  const { program, file, shown, edits, commands, restores } = planned;
  const gone = shown.before === '' && shown.after === '' ? edits.map(({ name }) => name).join('\n') : shown.before;
  return {
    program: program.id,
    name: displayText(program.name),
    token,
    action: shownAction(planned),
    path: displayText(file.path, lineLength),
    before: linesOf(gone),
    after: linesOf(shown.after),
    commands: commands.map(({ command, args }) => displayText([command, ...args].join(' '), lineLength)),
    restores,
    secret: planned.secret,
    ...(planned.endsSecret && { endsSecret: true }),
    ...(profiles.length > 0 && { profiles: profiles.map(({ id, name }) => ({ id, name: displayText(name) })) }),
    ...(file.editorProfile !== undefined && { editorProfile: file.editorProfile }),
    notice: program.notice,
    ...(planned.fault && { fault: toPlainError(planned.fault) }),
  };
}

/** What became of it. `change`: its id, where something was written. */
export function describeMade(planned: PlannedChange, change: string | undefined): ProgramOutcomes['made'][number] {
  const { id, name, notice } = planned.program;
  return { program: id, name, action: shownAction(planned), notice, ...(change !== undefined && { change }) };
}

function shownAction(planned: PlannedChange): ProgramPreview['action'] {
  return isEmpty(planned) ? 'none' : actionOf(planned);
}

/** As they stand, with the indentation that they have. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.split('\n').map((line) => {
    const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '  ') ?? '';
    return `${indent}${displayText(line, lineLength)}`;
  });
}
