import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import {
  changePermissions,
  holdsChanges,
  levelOf,
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
  ToolRule,
} from '../../../shared/tool-permissions.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { pinBounds } from '../../engine/kept/tool-pins.ts';
import type { ToolPins } from '../../ports.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { programName } from '../../apps/records/other-program.ts';
import { openPinStore } from '../../storage/profile/server-files.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { changedToolChoices } from '../options/option-specs.ts';
import { hasOption, optionValue } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';
import type { Answer } from '../output/output.ts';
import { writeUse } from '../output/write-command.ts';
import { namedProgram } from '../programs/named-program.ts';
import { printableLine } from '../text/printable.ts';

const withoutRule = 'default';

/**
 * `postern permit ID [TOOL RULE]`: which tools programs may call, or a change of that; with --review what its tools say
 * otherwise than before. Errors: those of `review`, NOT_FOUND,
 * PROGRAM_NOT_FOUND, USAGE, CFG_*.
 */
export async function permit(context: CommandContext): Promise<Answer> {
  const { args, output } = context;
  if (hasOption(args, 'review')) return await (await import('./review.ts')).review(context);
  const idle = (['accept', 'sign-in'] as const).find((name) => args.options.has(name));
  if (idle !== undefined) throw new UsageError(`--${idle} goes with --review.`, args.command);
  const { store, folder, locks } = await openCommandProfile(context);
  const word = optionValue(args, 'program');
  const program = word === undefined ? undefined : (await namedProgram(word, store.programs)).id;
  const change = changeOf(args);
  const found = await findIntegration(store, args.positionals[0] ?? '');
  if (change && 'tool' in change) {
    const pins = await openPinStore({ profileFolder: folder, locks, list: store }).read(found.id);
    requireTool(found, { ...change, program }, pins, args);
  }
  const integration = change
    ? await store.update(found.id, ({ permissions, ...kept }) => {
        const set = changePermissions(permissions, { ...change, ...(program !== undefined && { program }) });
        return { ...kept, ...(set && { permissions: set }) };
      })
    : found;
  if (!integration) throw new PosternError('NOT_FOUND', { stage: 'settings', detail: { count: 0 } });
  const { id, name, permissions } = integration;
  return {
    fields: { integration: { id, name }, permissions: permissions ?? {} },
    text: describe(integration, await store.programs.list(), (await store.settings()).changedTools, output.advise),
  };
}

/** A rule for a tool that is not there leaves the one that was meant as it is. Errors: USAGE. */
function requireTool(
  { name, permissions }: Integration,
  {
    tool,
    rule,
    program,
  }: { readonly tool: string; readonly rule: ToolRule | null; readonly program?: string | undefined },
  pins: ToolPins | undefined,
  { command }: ParsedArguments,
): void {
  // Until all were listed once, and beyond what is remembered, it may be there.
  if (!pins?.isWhole || pins.tools.length === 0 || pins.tools.length >= pinBounds.tools) return;
  const known = [...pins.tools, ...pins.changed].map((each) => each.name);
  if (known.includes(tool)) return;
  const { rules = [] } = program === undefined ? (permissions ?? {}) : levelOf(permissions, program);
  if (rule === null && rules.some((each) => each.tool === tool)) return;
  const shown = printableLine(name);
  throw new UsageError(
    `“${shown}” has no tool “${printableLine(tool)}”.${didYouMean(tool, known)} All of them: \`${writeUse('tools', name)}\`.`,
    command,
  );
}

/** Errors: USAGE. */
function changeOf(args: ParsedArguments): PermissionChange | undefined {
  const [, tool, rule] = args.positionals;
  const preset = toolPresets.find((each) => each === optionValue(args, 'preset'));
  const changedTools = changedToolChoices.find((each) => each === optionValue(args, 'changed-tools'));
  if (
    [tool, preset, changedTools, ...offers.map((each) => optionValue(args, each))].filter((said) => said !== undefined)
      .length > 1
  )
    throw new UsageError('Say one thing at a time: a tool and its rule, or one option.', args.command);
  if (changedTools !== undefined && optionValue(args, 'program') !== undefined)
    throw new UsageError('--changed-tools holds for all programs.', args.command);
  if (changedTools !== undefined) return { changedTools: changedTools === withoutRule ? null : changedTools };
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
  { name, permissions = {} }: Integration,
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
