import type { CollectionView, AppChange, AppOutcomes, AppPreview, AppView } from '../../../shared/app-view.ts';
import { displayText } from '../../address/display-text.ts';
import { actionOf, isEmpty, awaitsPaste } from '../../apps/apply-change.ts';
import type { EditorProfile } from '../../apps/plan/editor-profiles.ts';
import { excludingSettings } from '../../apps/plan/excluded-entries.ts';
import { noteOf } from '../../apps/plan/planned-change.ts';
import type { PlannedChange } from '../../apps/plan/planned-change.ts';
import { asEntryTarget } from '../../apps/app-dependencies.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { listApps } from '../../operations/apps.ts';
import type { ListedApp } from '../../operations/apps.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** The apps found on this computer. Errors: CFG_*. */
export async function readApps(context: Pick<DesktopContext, 'ports' | 'apps'>): Promise<AppView[]> {
  const [apps, changes] = await Promise.all([listApps(context), context.apps.backups.list()]);
  return apps.filter(({ isInstalled }) => isInstalled).map((app) => describeApp(app, changes));
}

/** Collections, without members that no longer exist. Errors: CFG_*. */
export async function readCollections({
  ports,
  collections,
}: Pick<DesktopContext, 'ports' | 'collections'>): Promise<CollectionView[]> {
  const existingIds = new Set((await ports.store.list()).map(({ id }) => id));
  return (await collections.list()).map((collection) => {
    const { id, name } = asEntryTarget(collection);
    return { id, name: displayText(name), members: collection.members.filter((member) => existingIds.has(member)) };
  });
}

/** Characters of one line of a preview. */
const lineLength = 2_000;

function describeApp(
  { app, file, fault, uses, waiting, lastUsedAt, isRevoked, isPaused }: ListedApp,
  changes: readonly AppChange[],
): AppView {
  const change = changes.find((each) => each.app === app.id && each.undoneAt === undefined);
  return {
    id: app.id,
    name: displayText(app.name),
    path: displayText(file.path, lineLength),
    ...(fault && { fault: toPlainError(fault) }),
    ...(app.hasProfiles && { hasProfiles: true as const }),
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

/** A preview of a change for the user. */
export function describePreview(
  token: string,
  planned: PlannedChange,
  profiles: readonly EditorProfile[] = [],
): AppPreview {
  const { app, file, shown: displayNames, edits, commands, restores } = planned;
  const removed =
    displayNames.before === '' && displayNames.after === ''
      ? edits.map(({ name }) => name).join('\n')
      : displayNames.before;
  return {
    app: app.id,
    name: displayText(app.name),
    token,
    action: previewAction(planned),
    path: displayText(file.path, lineLength),
    before: linesOf(removed),
    after: linesOf(displayNames.after),
    commands: commands.map(({ command, args }) => displayText([command, ...args].join(' '), lineLength)),
    restores,
    secret: planned.secret,
    ...rulesOf(planned),
    ...(planned.replacesSecret && { replacesSecret: true }),
    ...(profiles.length > 0 && { profiles: profiles.map(({ id, name }) => ({ id, name: displayText(name) })) }),
    ...(file.editorProfile !== undefined && { editorProfile: file.editorProfile }),
    notice: app.notice,
    ...notesOf(planned),
    ...(planned.fault && { fault: toPlainError(planned.fault) }),
  };
}

/** The outcome of a change. `change`: its id, if a file was written. */
export function describeOutcome(planned: PlannedChange, change: string | undefined): AppOutcomes['made'][number] {
  const { id, name, notice } = planned.app;
  const outcome = { app: id, name, action: previewAction(planned), notice, ...notesOf(planned) };
  return { ...outcome, ...(change !== undefined && { change }), ...(awaitsPaste(planned) && { waits: true as const }) };
}

function rulesOf({ rules = [] }: PlannedChange): Pick<AppPreview, 'rules' | 'preset' | 'revertsRules'> {
  const shown = (names: readonly string[]): string[] => names.map((name) => displayText(name));
  const added = rules.flatMap(({ source }) =>
    source
      ? [
          {
            entry: displayText(source.entry),
            ...(source.allowed && { only: shown(source.allowed) }),
            denied: shown(source.denied),
          },
        ]
      : [],
  );
  const preset = rules.find((rule) => rule.preset !== undefined)?.preset;
  const isRevert = rules.some((rule) => rule.source === undefined && rule.preset === undefined);
  return {
    ...(added.length > 0 && { rules: added }),
    ...(preset !== undefined && { preset }),
    ...(isRevert && { revertsRules: true as const }),
  };
}

function notesOf(planned: PlannedChange): Pick<AppPreview, 'note' | 'excludedBy' | 'removesBom'> {
  const note = noteOf(planned);
  const { excludedBy, removesBom } = planned;
  return {
    ...(note !== undefined && { note }),
    ...(excludedBy && { excludedBy: displayText(excludingSettings(excludedBy)) }),
    ...(removesBom && { removesBom }),
  };
}

function previewAction(planned: PlannedChange): AppPreview['action'] {
  return isEmpty(planned) ? 'none' : actionOf(planned);
}

/** Lines with their indentation. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.split('\n').map((line) => {
    const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '  ') ?? '';
    return `${indent}${displayText(line, lineLength)}`;
  });
}
