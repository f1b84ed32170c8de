import { isOtherApp } from '../../../shared/app-record.ts';
import type { EntrySettings } from '../../apps/entry/entry-settings.ts';
import { hiddenValue } from '../../apps/list/entry-list.ts';
import { actionOf, isEmpty, awaitsPaste } from '../../apps/apply-change.ts';
import type { AppliedChange } from '../../apps/apply-change.ts';
import { excludingSettings } from '../../apps/plan/excluded-entries.ts';
import { noteOf } from '../../apps/plan/planned-change.ts';
import type { PlannedChange } from '../../apps/plan/planned-change.ts';
import type { App } from '../../apps/table/app.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { printable, printableLine } from '../text.ts';

/** A planned or made change of an app's configuration, for `--json`. */
export function changeFields(planned: PlannedChange, applied: AppliedChange = {}): Readonly<Record<string, unknown>> {
  const { app, file, shown, commands, fault, rules = [] } = planned;
  const note = noteOf(planned);
  return {
    ...(applied.id !== undefined && { id: applied.id }),
    app: app.id,
    path: file.path,
    action: actionOf(planned),
    ...(fault && { because: fault.code }),
    ...(applied.backup !== undefined && { backup: applied.backup }),
    before: shown.before,
    after: shown.after,
    ...(commands.length > 0 && { commands: commands.map(({ command, args }) => [command, ...args]) }),
    secret: planned.secret,
    ...(applied.access && { right: applied.access }),
    ...(awaitsPaste(planned) && { waits: true }),
    ...(planned.restores && { restores: true }),
    ...(rules.length > 0 && { rules: rules.map(({ integration, source }) => ({ integration, ...source })) }),
    ...(planned.excludedBy && { excludedBy: excludingSettings(planned.excludedBy) }),
    ...(planned.removesBom && { removesBom: true }),
    ...(planned.isReadableByOthers && { readByOthers: true }),
    notice: app.notice,
    ...(note && { note }),
  };
}

const headlines = {
  created: 'This file will be created:',
  updated: 'This file will be changed:',
  deleted: 'This file will be deleted, because it has no other content:',
  command: 'A command of the app will change this file:',
  paste: 'Paste these lines into its configuration:',
} as const;

const removalHeadline = 'Remove these lines from its configuration:';

const faultyHeadline = (message: string): string => `${message} Paste these lines there yourself:`;

const secretWords: Readonly<Record<PlannedChange['secret'], string>> = {
  none: 'It contains no secret.',
  helper: 'It contains no secret: the app gets it by running a Postern command.',
  header: 'It contains a secret for this app, not shown here. The secret only gives access to Postern.',
};

/** For lines to paste, which need the secret. */
const pastedSecret = {
  preview: 'After you confirm, these lines will contain a secret for this app. It only gives access to Postern.',
  made: 'These lines contain a secret for this app. Do not put them anywhere else. It only gives access to Postern.',
} as const;

const hiddenValues = `“${hiddenValue}” is a hidden value.`;

const restoredValuesNote = 'The original entry is restored. Its values are not shown here.';

const readByOthers = (file: string): string =>
  `Other users of this computer can read that file. To protect it: chmod 600 ${printableLine(JSON.stringify(file), 1_000)}`;

/** If the file does not change: what happens to the app's permission. */
const accessTexts = {
  preview: {
    given: 'It already has the entry. Postern will let it use the server again.',
    ended: 'It has no such entry. It will no longer be allowed to use the server.',
    none: 'No change is needed.',
  },
  made: {
    given: 'It already had the entry. It can use the server again.',
    ended: 'It had no such entry. It can no longer use the server.',
    none: 'No change was needed.',
  },
} as const;

interface PreviewOptions extends Pick<AppliedChange, 'access'> {
  /** The change was made. */
  readonly isApplied?: boolean;
}

/** A planned change as text. */
export function describePreview(
  planned: PlannedChange,
  { isApplied: isMade = false, access }: PreviewOptions = {},
): string {
  const { app, file, shown, edits, commands } = planned;
  const action = actionOf(planned);
  const phase = isMade ? 'made' : 'preview';
  if (isEmpty(planned) && planned.isPasted === true && shown.after !== '')
    return `${printableLine(app.name)}: ${linesFound}`;
  if (isEmpty(planned)) return `${printableLine(app.name)}: ${accessTexts[phase][access ?? 'none']}`;
  const isRemoval = action === 'paste' && shown.after === '';
  const headline = planned.fault
    ? faultyHeadline(toPlainError(planned.fault).message)
    : isRemoval
      ? removalHeadline
      : headlines[action];
  const hasPath = file.path !== '' && (action !== 'paste' || isRemoval);
  const isPasted = action === 'paste' && planned.secret === 'header';
  const secret = isPasted ? pastedSecret[phase] : secretWords[planned.secret];
  return [
    `${printableLine(app.name)}: ${headline}${hasPath ? ` ${printableLine(file.path, 1_000)}` : ''}`,
    ...lines('-', shown.before),
    ...(shown.after === '' && shown.before === '' ? edits.map(({ name }) => `  - ${printableLine(name)}`) : []),
    ...lines('+', shown.after),
    ...commands.map(({ command, args }) => `  $ ${printableLine([command, ...args].join(' '), 2_000)}`),
    ...(shown.after === '' ? [] : [`  ${planned.restores ? restoredValuesNote : secret}`]),
    ...(`${shown.before}${shown.after}`.includes(hiddenValue) ? [`  ${hiddenValues}`] : []),
    ...(planned.isReadableByOthers && action !== 'paste' ? [`  ${readByOthers(file.path)}`] : []),
    ...describePlannedRules(planned).map((line) => `  ${line}`),
    ...(planned.removesBom ? [`  ${byteOrderMark}`] : []),
    ...describeExcludedBy(planned).map((line) => `  ${line}`),
    ...(isMade && awaitsPaste(planned) ? [`  ${describeWait(planned)}`] : []),
  ].join('\n');
}

const linesFound = 'The lines are in its configuration. It can use the server.';

/** How Postern learns that the user pasted the lines. */
function describeWait({ app: { id, name } }: PlannedChange): string {
  const waits = `${printableLine(name)} needs you to paste these lines.`;
  return isOtherApp(id)
    ? `${waits} Postern notices when it makes its first call.`
    : `${waits} Then check with \`postern doctor\`.`;
}

const byteOrderMark =
  'The file starts with a byte order mark, which makes apps ignore the whole list. It will be removed too.';

/** Tool rules from an app's entry. */
export function describeRules(
  app: string,
  { allowed, denied }: Pick<EntrySettings, 'allowed' | 'denied'>,
): readonly string[] {
  const usable = allowed?.filter((tool) => !denied.includes(tool));
  return [
    ...(usable
      ? [usable.length === 0 ? `${app} cannot use any of its tools.` : `${app} can only use: ${toolList(usable)}.`]
      : []),
    ...(denied.length > 0 ? [`${app} cannot use: ${toolList(denied)}.`] : []),
  ];
}

/** At most 20 names. */
export function toolList(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((each) => printableLine(each, 64));
  return [...shown, ...(names.length > shown.length ? [`${names.length - shown.length} more`] : [])].join(', ');
}

function describePlannedRules({ app, rules = [] }: PlannedChange): readonly string[] {
  const added = rules.flatMap(({ source }) =>
    source
      ? [`“${printableLine(source.entry, 80)}”: ${describeRules(app.name, source).join(' ')} Postern enforces this.`]
      : [],
  );
  return rules.some(({ source }) => !source) ? [...added, 'Its tool rules will be removed too.'] : added;
}

/** Entries that the app will ignore. */
function describeExcludedBy({ app: { name }, excludedBy = new Map() }: PlannedChange): readonly string[] {
  return Array.from(
    Map.groupBy(excludedBy, ([, setting]) => setting),
    ([setting, entries]) => {
      const names = entries.map(([entry]) => `“${printableLine(entry, 80)}”`).join(', ');
      return `${name} will ignore ${names} because of its setting ${printableLine(setting, 200)}. Change that setting there.`;
    },
  );
}

const noticeWords: Readonly<Record<App['notice'], (name: string) => string>> = {
  'at-once': (name) => `${name} picks up the change on its own.`,
  button: (name) => `Press the refresh button in the server list of ${name}.`,
  'new-session': (name) => `The change applies to new sessions in ${name}.`,
  restart: (name) => `Restart ${name}.`,
};

const noteWords: Readonly<Record<NonNullable<App['note']>, (name: string) => string>> = {
  'asks-for-trust': (name) => `${name} asks whether you trust the server.`,
  'trusted-folders': (name) => `${name} uses your servers only in trusted folders.`,
  'chatgpt-too': () => 'The ChatGPT app uses the same configuration.',
};

/** A made change as text. */
export function describeApplied(planned: PlannedChange, applied: AppliedChange): string {
  const { app } = planned;
  const { id } = applied;
  const added = planned.edits.filter(({ entry }) => entry !== undefined).length;
  if (actionOf(planned) === 'paste' || id === undefined)
    return describePreview(planned, { ...applied, isApplied: true });
  const note = noteOf(planned);
  return [
    `Changed the configuration of ${printableLine(app.name)}.`,
    ...(planned.excludedBy?.size === added ? [] : [noticeWords[app.notice](app.name)]),
    ...describeExcludedBy(planned),
    ...(note ? [noteWords[note](app.name)] : []),
    `To undo: postern undo ${id}`,
  ].join(' ');
}

/** Warns that the app got a new secret, so its older HTTP entries stop working. */
export function describeNewSecret({ name }: App): string {
  return `The old secret was lost with the vault, so ${printableLine(name)} has a new one. Its other HTTP entries no longer work. \`postern doctor\` shows how to renew them.`;
}

function lines(sign: string, text: string): readonly string[] {
  return text === ''
    ? []
    : printable(text)
        .split('\n')
        .map((line) => `  ${sign} ${line}`);
}
