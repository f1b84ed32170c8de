import type {
  CollectionView,
  ProgramChange,
  ProgramOutcomes,
  ProgramPreview,
  ProgramView,
} from '../../../shared/program-view.ts';
import { displayText } from '../../address/display-text.ts';
import { actionOf, isEmpty, isWaiting } from '../../apps/make-change.ts';
import type { EditorProfile } from '../../apps/plan/editor-profiles.ts';
import { settingsIn } from '../../apps/plan/kept-out.ts';
import { noteOf } from '../../apps/plan/planned-change.ts';
import type { PlannedChange } from '../../apps/plan/planned-change.ts';
import { asUsedServer } from '../../apps/program-engine.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { listApps } from '../../operations/apps.ts';
import type { ListedApp } from '../../operations/apps.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** The apps that are on this computer. Errors: CFG_*. */
export async function readPrograms(context: Pick<DesktopContext, 'ports' | 'programs'>): Promise<ProgramView[]> {
  const [apps, changes] = await Promise.all([listApps(context), context.programs.backups.list()]);
  return apps.filter(({ found }) => found).map((app) => describeApp(app, changes));
}

/** With the servers that are there. Errors: CFG_*. */
export async function readCollections({
  ports,
  collections,
}: Pick<DesktopContext, 'ports' | 'collections'>): Promise<CollectionView[]> {
  const there = new Set((await ports.store.list()).map(({ id }) => id));
  return (await collections.list()).map((collection) => {
    const { id, name } = asUsedServer(collection);
    return { id, name: displayText(name), members: collection.members.filter((member) => there.has(member)) };
  });
}

/** Characters of one line of a preview. */
const lineLength = 2_000;

function describeApp(
  { program, file, fault, uses, waiting, lastUsedAt, isRevoked, isPaused }: ListedApp,
  changes: readonly ProgramChange[],
): ProgramView {
  const change = changes.find((each) => each.program === program.id && each.undoneAt === undefined);
  return {
    id: program.id,
    name: displayText(program.name),
    path: displayText(file.path, lineLength),
    ...(fault && { fault: toPlainError(fault) }),
    ...(program.hasProfiles && { hasProfiles: true as const }),
    uses: [...uses],
    ...(waiting.length > 0 && { waiting: [...waiting] }),
    isRevoked,
    isPaused,
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    ...(change && {
      lastChange: { id: change.id, at: change.at, names: change.names.map((name) => displayText(name)) },
    }),
  };
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
    ...rulesOf(planned),
    ...(planned.endsSecret && { endsSecret: true }),
    ...(profiles.length > 0 && { profiles: profiles.map(({ id, name }) => ({ id, name: displayText(name) })) }),
    ...(file.editorProfile !== undefined && { editorProfile: file.editorProfile }),
    notice: program.notice,
    ...notedOf(planned),
    ...(planned.fault && { fault: toPlainError(planned.fault) }),
  };
}

/** What became of it. `change`: its id, where something was written. */
export function describeMade(planned: PlannedChange, change: string | undefined): ProgramOutcomes['made'][number] {
  const { id, name, notice } = planned.program;
  const made = { program: id, name, action: shownAction(planned), notice, ...notedOf(planned) };
  return { ...made, ...(change !== undefined && { change }), ...(isWaiting(planned) && { waits: true as const }) };
}

function rulesOf({ rules = [] }: PlannedChange): Pick<ProgramPreview, 'rules' | 'endsRules'> {
  const shown = (names: readonly string[]): string[] => names.map((name) => displayText(name));
  const coming = rules.flatMap(({ of }) =>
    of
      ? [{ entry: displayText(of.entry), ...(of.allowed && { only: shown(of.allowed) }), denied: shown(of.denied) }]
      : [],
  );
  return {
    ...(coming.length > 0 && { rules: coming }),
    ...(coming.length < rules.length && { endsRules: true as const }),
  };
}

function notedOf(planned: PlannedChange): Pick<ProgramPreview, 'note' | 'keptOut' | 'takesMark'> {
  const note = noteOf(planned);
  const { keptOut, takesMark } = planned;
  return {
    ...(note !== undefined && { note }),
    ...(keptOut && { keptOut: displayText(settingsIn(keptOut)) }),
    ...(takesMark && { takesMark }),
  };
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
