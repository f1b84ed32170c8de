import { isOtherProgram } from '../../../shared/program-record.ts';
import type { EntryDecisions } from '../../apps/entry/entry-decisions.ts';
import { hiddenValue } from '../../apps/list/entry-list.ts';
import { actionOf, isEmpty, isWaiting } from '../../apps/make-change.ts';
import type { MadeChange } from '../../apps/make-change.ts';
import { settingsIn } from '../../apps/plan/kept-out.ts';
import { noteOf } from '../../apps/plan/planned-change.ts';
import type { PlannedChange } from '../../apps/plan/planned-change.ts';
import type { Program } from '../../apps/table/program.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { printable, printableLine } from '../text.ts';

/** A change of a program's configuration, planned or made, for programs. */
export function changeFields(planned: PlannedChange, made: MadeChange = {}): Readonly<Record<string, unknown>> {
  const { program, file, shown, commands, fault, rules = [] } = planned;
  const note = noteOf(planned);
  return {
    ...(made.id !== undefined && { id: made.id }),
    program: program.id,
    path: file.path,
    action: actionOf(planned),
    ...(fault && { because: fault.code }),
    ...(made.backup !== undefined && { backup: made.backup }),
    before: shown.before,
    after: shown.after,
    ...(commands.length > 0 && { commands: commands.map(({ command, args }) => [command, ...args]) }),
    secret: planned.secret,
    ...(made.right && { right: made.right }),
    ...(isWaiting(planned) && { waits: true }),
    ...(planned.restores && { restores: true }),
    ...(rules.length > 0 && { rules: rules.map(({ integration, of }) => ({ integration, ...of })) }),
    ...(planned.keptOut && { keptOut: settingsIn(planned.keptOut) }),
    ...(planned.takesMark && { takesMark: true }),
    ...(planned.isReadByOthers && { readByOthers: true }),
    notice: program.notice,
    ...(note && { note }),
  };
}

const headlines = {
  created: 'This file will be made:',
  updated: 'This file will be changed:',
  deleted: 'This file will be deleted, since it holds nothing else:',
  command: 'Its own command will be run, which changes this file:',
  paste: 'Put these lines into its configuration yourself:',
} as const;

const takeOut = 'Take these lines out of its configuration yourself:';

const faultyHeadline = (message: string): string => `${message} Put these lines there yourself:`;

const secretWords: Readonly<Record<PlannedChange['secret'], string>> = {
  none: 'No secret stands in it.',
  helper: 'No secret stands in it: the program asks a command of Postern for it.',
  header: 'A secret of this program stands in it, which is not shown here; it opens nothing but Postern.',
};

/** Of lines that a person pastes, which are of no use without it. */
const pastedSecret = {
  preview: 'A secret of this program comes into these lines once you say yes; it opens nothing but Postern.',
  made: 'A secret of this program stands in these lines: put them nowhere else. It opens nothing but Postern.',
} as const;

const hiddenValues = `“${hiddenValue}” stands for a value that is not shown here.`;

const valuesComeBack = 'What stood there comes back as it was; its values are not shown here.';

const readByOthers = (file: string): string =>
  `Others on this computer may read that file: its mode says so, and Postern keeps the mode. To close it: chmod 600 ${printableLine(JSON.stringify(file), 1_000)}`;

/** Where nothing of the file changes: what becomes of the right to use the server. */
const rightWords = {
  preview: {
    given: 'Its entry stands there already. Postern will let it use the server again.',
    ended: 'It has no such entry. It will not be allowed to use the server any more.',
    none: 'Nothing has to be changed.',
  },
  made: {
    given: 'Its entry was there already. It may use the server again.',
    ended: 'It had no such entry. It may not use the server any more.',
    none: 'Nothing had to be changed.',
  },
} as const;

interface Shown extends Pick<MadeChange, 'right'> {
  /** It was done. */
  readonly isMade?: boolean;
}

/** The same for a person, before anything is done. */
export function describePreview(planned: PlannedChange, { isMade = false, right }: Shown = {}): string {
  const { program, file, shown, edits, commands } = planned;
  const action = actionOf(planned);
  const at = isMade ? 'made' : 'preview';
  if (isEmpty(planned) && planned.isPasted === true && shown.after !== '')
    return `${printableLine(program.name)}: ${linesAreThere}`;
  if (isEmpty(planned)) return `${printableLine(program.name)}: ${rightWords[at][right ?? 'none']}`;
  const isGone = action === 'paste' && shown.after === '';
  const headline = planned.fault
    ? faultyHeadline(toPlainError(planned.fault).message)
    : isGone
      ? takeOut
      : headlines[action];
  const hasPath = file.path !== '' && (action !== 'paste' || isGone);
  const isPasted = action === 'paste' && planned.secret === 'header';
  const secret = isPasted ? pastedSecret[at] : secretWords[planned.secret];
  return [
    `${printableLine(program.name)}: ${headline}${hasPath ? ` ${printableLine(file.path, 1_000)}` : ''}`,
    ...lines('-', shown.before),
    ...(shown.after === '' && shown.before === '' ? edits.map(({ name }) => `  - ${printableLine(name)}`) : []),
    ...lines('+', shown.after),
    ...commands.map(({ command, args }) => `  $ ${printableLine([command, ...args].join(' '), 2_000)}`),
    ...(shown.after === '' ? [] : [`  ${planned.restores ? valuesComeBack : secret}`]),
    ...(`${shown.before}${shown.after}`.includes(hiddenValue) ? [`  ${hiddenValues}`] : []),
    ...(planned.isReadByOthers && action !== 'paste' ? [`  ${readByOthers(file.path)}`] : []),
    ...describePlannedRules(planned).map((line) => `  ${line}`),
    ...(planned.takesMark ? [`  ${byteOrderMark}`] : []),
    ...describeKeptOut(planned).map((line) => `  ${line}`),
    ...(isMade && isWaiting(planned) ? [`  ${describeWait(planned)}`] : []),
  ].join('\n');
}

const linesAreThere = 'The lines are in its configuration. It may use the server.';

/** What ends the wait. */
function describeWait({ program: { id, name } }: PlannedChange): string {
  const waits = `${printableLine(name)} is waiting for you.`;
  return isOtherProgram(id)
    ? `${waits} It counts as using the server from its first call.`
    : `${waits} After pasting, \`postern doctor\` checks that the lines are there.`;
}

const byteOrderMark =
  'The file begins with a byte order mark, with which apps drop the whole list. The mark is taken out too.';

/** Which tools an app may use of a server, as its entry says. */
export function describeRules(
  app: string,
  { allowed, denied }: Pick<EntryDecisions, 'allowed' | 'denied'>,
): readonly string[] {
  const left = allowed?.filter((tool) => !denied.includes(tool));
  return [
    ...(left
      ? [left.length === 0 ? `${app} may use none of its tools.` : `${app} may use only: ${toolList(left)}.`]
      : []),
    ...(denied.length > 0 ? [`${app} may not use: ${toolList(denied)}.`] : []),
  ];
}

/** As many as a person reads. */
export function toolList(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((each) => printableLine(each, 64));
  return [...shown, ...(names.length > shown.length ? [`${names.length - shown.length} more`] : [])].join(', ');
}

function describePlannedRules({ program, rules = [] }: PlannedChange): readonly string[] {
  const coming = rules.flatMap(({ of }) =>
    of ? [`“${printableLine(of.entry, 80)}”: ${describeRules(program.name, of).join(' ')} Postern enforces this.`] : [],
  );
  return rules.some(({ of }) => !of) ? [...coming, 'The rules for tools that came with it go too.'] : coming;
}

/** Entries that the app will pass over. */
function describeKeptOut({ program: { name }, keptOut = new Map() }: PlannedChange): readonly string[] {
  return Array.from(
    Map.groupBy(keptOut, ([, setting]) => setting),
    ([setting, entries]) => {
      const names = entries.map(([entry]) => `“${printableLine(entry, 80)}”`).join(', ');
      return `${name} will not use ${names}: its own setting ${printableLine(setting, 200)} keeps it out. Change it there.`;
    },
  );
}

const noticeWords: Readonly<Record<Program['notice'], (name: string) => string>> = {
  'at-once': (name) => `${name} notices it by itself.`,
  button: (name) => `Press the refresh button in the list of servers of ${name}.`,
  'new-session': (name) => `A new session of ${name} uses it.`,
  restart: (name) => `Restart ${name}.`,
};

const noteWords: Readonly<Record<NonNullable<Program['note']>, (name: string) => string>> = {
  'asks-for-trust': (name) => `${name} asks whether you trust the server.`,
  'trusted-folders': (name) => `${name} uses servers of yours only in folders that it trusts.`,
  'chatgpt-too': () => 'The ChatGPT program has the same configuration, and uses it too.',
};

/** The same for a person, afterwards. */
export function describeMade(planned: PlannedChange, made: MadeChange): string {
  const { program } = planned;
  const { id } = made;
  const coming = planned.edits.filter(({ entry }) => entry !== undefined).length;
  if (actionOf(planned) === 'paste' || id === undefined) return describePreview(planned, { ...made, isMade: true });
  const note = noteOf(planned);
  return [
    `Changed the configuration of ${printableLine(program.name)}.`,
    ...(planned.keptOut?.size === coming ? [] : [noticeWords[program.notice](program.name)]),
    ...describeKeptOut(planned),
    ...(note ? [noteWords[note](program.name)] : []),
    `To take it back: postern undo ${id}`,
  ].join(' ');
}

/** Where a program got a new secret though its entries hold one. */
export function describeEndedSecret({ name }: Program): string {
  return `The earlier secret was lost with the vault, so ${printableLine(name)} has a new one. Its other entries with an address hold the old one and are refused: \`postern doctor\` says what renews each.`;
}

function lines(sign: string, text: string): readonly string[] {
  return text === ''
    ? []
    : printable(text)
        .split('\n')
        .map((line) => `  ${sign} ${line}`);
}
