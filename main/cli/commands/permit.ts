import type { ChangedPiece, ToolChange } from '../../../shared/approval-view.ts';
import type { Integration } from '../../../shared/integration.ts';
import { counted } from '../../../shared/language.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import {
  holdsChanges,
  offers,
  ownRule,
  permissionBounds,
  toolPresets,
  toolRules,
  withChangedToolRule,
} from '../../../shared/tool-permissions.ts';
import type {
  ChangedToolRule,
  PermissionChange,
  PermissionLevel,
  ToolPermissions,
} from '../../../shared/tool-permissions.ts';
import { programName } from '../../apps/records/program-records.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { systemClock } from '../../host/system-ports.ts';
import { readServer } from '../../operations/operation.ts';
import { acceptChanges, changedTools, setPermission, UnknownTool } from '../../operations/permissions.ts';
import { openPinStore } from '../../storage/profile/server-files.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { changedToolChoices } from '../options/option-specs.ts';
import { didYouMean, hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import type { Answer } from '../output/output.ts';
import { writeUse } from '../output/write-command.ts';
import { namedProgram } from '../programs/named-program.ts';
import { printable, printableLine } from '../text.ts';

const withoutRule = 'default';

/**
 * `postern permit ID [TOOL RULE]`: which tools programs may call, or a change of that; with --review what its tools say
 * otherwise than before. Errors: those of `review`, NOT_FOUND,
 * PROGRAM_NOT_FOUND, USAGE, CFG_*.
 */
export async function permit(context: CommandContext): Promise<Answer> {
  const { args, output } = context;
  if (hasOption(args, 'review')) return await review(context);
  const idle = (['accept', 'sign-in'] as const).find((name) => args.options.has(name));
  if (idle !== undefined) throw new UsageError(`--${idle} goes with --review.`, args.command);
  const { store, folder, locks } = await openCommandProfile(context);
  const word = optionValue(args, 'program');
  const program = word === undefined ? undefined : (await namedProgram(word, store.programs)).id;
  const change = changeOf(args);
  const { id, name } = await findIntegration(store, args.positionals[0] ?? '');
  if (change) {
    const pins = openPinStore({ profileFolder: folder, locks, list: store });
    const ports = { store, pins, clock: systemClock };
    const scope = { ...terminalSurface(context), ports, programs: { records: store.programs } };
    await setPermission(scope, { id, ...change, ...(program !== undefined && { program }) }).catch((error: unknown) => {
      throw error instanceof UnknownTool ? toUsage(error, name, args) : error;
    });
  }
  const { permissions } = await readServer({ store }, id);
  return {
    fields: { integration: { id, name }, permissions: permissions ?? {} },
    text: describe(
      { name, permissions },
      await store.programs.list(),
      (await store.settings()).changedTools,
      output.advise,
    ),
  };
}

function toUsage({ tool, known }: UnknownTool, server: string, { command }: ParsedArguments): UsageError {
  return new UsageError(
    `“${printableLine(server)}” has no tool “${printableLine(tool)}”.${didYouMean(tool, known)} All of them: \`${writeUse('tools', server)}\`.`,
    command,
  );
}

/** Errors: USAGE. */
function changeOf(args: ParsedArguments): PermissionChange | undefined {
  const [, tool, rule] = args.positionals;
  const preset = toolPresets.find((each) => each === optionValue(args, 'preset'));
  const ofChanged = changedToolChoices.find((each) => each === optionValue(args, 'changed-tools'));
  if (
    [tool, preset, ofChanged, ...offers.map((each) => optionValue(args, each))].filter((said) => said !== undefined)
      .length > 1
  )
    throw new UsageError('Say one thing at a time: a tool and its rule, or one option.', args.command);
  if (ofChanged !== undefined && optionValue(args, 'program') !== undefined)
    throw new UsageError('--changed-tools holds for all programs.', args.command);
  if (ofChanged !== undefined) return { changedTools: ofChanged === withoutRule ? null : ofChanged };
  const offer = offers.find((each) => optionValue(args, each) !== undefined);
  if (offer !== undefined) return { offer, allowed: optionValue(args, offer) === 'on' };
  if (tool === undefined) return preset && { preset };
  if (tool === '' || tool.length > permissionBounds.tool)
    throw new UsageError(`A tool’s name has 1 to ${permissionBounds.tool} characters.`, args.command);
  if (rule === withoutRule) return { tool, rule: null };
  const known = toolRules.find((each) => each === rule);
  if (!known)
    throw new UsageError(
      `Say what becomes of the tool: ${toolRules.join(', ')} or default.${didYouMean(rule ?? '', [...toolRules, withoutRule])}`,
      args.command,
    );
  return { tool, rule: known };
}

const presetWords = {
  everything: 'every tool may be called',
  'ask-changes': 'tools that are not marked as reading only ask each time',
  'read-only': 'tools that are not marked as reading only are denied',
  'only-allowed': 'tools without a rule of their own are denied',
} as const;

function describe(
  { name, permissions = {} }: Pick<Integration, 'name' | 'permissions'>,
  records: readonly ProgramRecord[],
  forAll: ChangedToolRule | undefined,
  advise: (sentence: string) => string,
): string {
  const { programs = [] }: ToolPermissions = permissions;
  const own = programs.map(({ program, ...level }) => {
    const shown = printableLine(programName(program, records) ?? program);
    return [`${shown}, beside that: ${describeLevel(level)}`, ...describeDenied(permissions, level)].join('\n');
  });
  const held = holdsChanges(withChangedToolRule(permissions, forAll))
    ? [
        advise(
          `Tools that are new or have changed are held until you have looked at them (\`${writeUse('permit', name, '--review')}\`).`,
        ),
      ]
    : [];
  return [`“${printableLine(name)}”, for all programs: ${describeLevel(permissions)}`, ...own, ...held].join('\n');
}

/** What this program was allowed in vain. */
function describeDenied(forAll: PermissionLevel, { rules = [] }: PermissionLevel): readonly string[] {
  return rules
    .filter(({ tool, rule }) => rule !== 'deny' && ownRule(forAll, tool) === 'deny')
    .map(({ tool }) => `  ${printableLine(tool)} stays denied: it is denied for all programs`);
}

function describeLevel({ preset = 'everything', rules = [], without = [] }: PermissionLevel): string {
  const off = without.map((offer) => ` No ${offer}.`).join('');
  const single = rules.map(({ tool, rule }) => `\n  ${rule.padEnd(5)}  ${printableLine(tool)}`);
  return `${presetWords[preset]}.${off}${single.join('')}`;
}

/**
 * `postern permit ID --review`: what tools of a server say otherwise than when a person looked at them last; with `--accept` that
 * is what they looked at. Errors: as `tools`, CFG_*.
 */
export async function review(context: CommandContext): Promise<Answer> {
  // Rules are changed without the engine.
  const { useIntegration } = await import('../opening/open-command-engine.ts');
  const { ports, integration, access, history } = await useIntegration(context);
  const { id, name } = integration;
  const { changed, more, ...found } = await changedTools({ ports, access, history }, { id, live: true });
  context.steps.clear();
  const gone = found.gone.map((each) => each.name);
  const isAccepted = hasOption(context.args, 'accept');
  // Those beyond what is shown stay as they are.
  if (isAccepted)
    await acceptChanges({ ...terminalSurface(context), ports }, { id, forms: changed.map(({ form }) => form), gone });
  return {
    fields: {
      integration: { id, name },
      changed,
      gone,
      more,
      accepted: isAccepted,
    },
    text: describeChanges({
      name,
      changed,
      gone,
      more,
      isAccepted,
      advise: context.output.advise,
    }),
  };
}

interface Changes {
  readonly name: string;
  readonly changed: readonly ToolChange[];
  readonly gone: readonly string[];
  /** How many are not shown. */
  readonly more: number;
  readonly isAccepted: boolean;
  /** Writes commands as they can be typed here. */
  readonly advise: (sentence: string) => string;
}

/** What has changed of the tools of a server, word by word. */
export function describeChanges({ name, changed, gone, more, isAccepted, advise }: Changes): string {
  if (changed.length + gone.length === 0)
    return `The tools of “${printableLine(name)}” say what they said when you looked at them last.`;
  const end = isAccepted
    ? 'This is now what you have looked at.'
    : advise(`To take it as it is: \`${writeUse('permit', name, '--review --accept')}\`.`);
  return [
    ...changed.map(describeOne),
    ...gone.map((tool) => `${printableLine(tool, 160)} (gone)`),
    ...(more > 0 ? [`${counted(more, 'more has', 'more have')} changed.`] : []),
    end,
  ].join('\n\n');
}

function describeOne({ tool, kind, places, isCut }: ToolChange): string {
  const lines = places.map(
    ({ where, words }) => `  ${printableLine(where.join('.'), 200)}: ${words.map(mark).join('')}`,
  );
  return [
    `${printableLine(tool, 160)} (${kind})`,
    ...lines,
    ...(isCut ? ['  More of it differs than can be shown here.'] : []),
  ].join('\n');
}

/** As `git diff --word-diff` does. */
function mark({ kind, text }: ChangedPiece): string {
  const shown = printable(text);
  if (kind === 'same') return shown;
  return kind === 'gone' ? `[-${shown}-]` : `{+${shown}+}`;
}
