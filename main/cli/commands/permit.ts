import type { ChangedPiece, ToolChange } from '../../../shared/approval-view.ts';
import type { Integration } from '../../../shared/integration.ts';
import { formatCount } from '../../../shared/language.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import {
  holdsChanges,
  capabilities,
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
import { appName } from '../../apps/records/app-records.ts';
import { findIntegration } from '../../engine/records/find-integration.ts';
import { systemClock } from '../../host/system-ports.ts';
import { readServer } from '../../operations/operation.ts';
import { acceptChanges, changedTools, setPermission, UnknownTool } from '../../operations/permissions.ts';
import { openPinStore } from '../../storage/profile/server-files.ts';
import { terminalSurface } from '../interaction/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { changedToolChoices } from '../options/option-specs.ts';
import { didYouMean, hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import type { CommandResult } from '../output/output.ts';
import { writeServerCommand } from '../output/write-command.ts';
import { resolveApp } from '../apps/resolve-references.ts';
import { printable, printableLine } from '../text.ts';

const withoutRule = 'default';

/**
 * `postern permit ID [TOOL RULE]`: shows or sets which tools AI apps may call. --review shows changed tools. Errors:
 * those of `review`, NOT_FOUND, APP_NOT_FOUND, USAGE, CFG_*.
 */
export async function permit(context: CommandContext): Promise<CommandResult> {
  const { args, output } = context;
  if (hasOption(args, 'review')) return await review(context);
  const misplaced = (['accept', 'sign-in'] as const).find((name) => args.options.has(name));
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} needs --review.`, args.command);
  const { store, folder, locks } = await context.openProfile();
  const word = optionValue(args, 'app');
  const app = word === undefined ? undefined : (await resolveApp(word, store.apps)).id;
  const change = parseChange(args);
  const { id, name } = await findIntegration(store, args.positionals[0] ?? '');
  if (change) {
    const pins = openPinStore({ profileFolder: folder, locks, list: store });
    const ports = { store, pins, clock: systemClock };
    const scope = { ...terminalSurface(context), ports, apps: { records: store.apps } };
    await setPermission(scope, { id, ...change, ...(app !== undefined && { app }) }).catch((error: unknown) => {
      throw error instanceof UnknownTool ? toUsageError(error, name, args) : error;
    });
  }
  const { permissions } = await readServer({ store }, id);
  return {
    fields: { integration: { id, name }, permissions: permissions ?? {} },
    text: describe(
      { name, permissions },
      await store.apps.list(),
      (await store.settings()).changedTools,
      output.advise,
    ),
  };
}

function toUsageError({ tool, known }: UnknownTool, server: string, { command }: ParsedArguments): UsageError {
  return new UsageError(
    `“${printableLine(server)}” has no tool “${printableLine(tool)}”.${didYouMean(tool, known)} List its tools with \`${writeServerCommand('tools', server)}\`.`,
    command,
  );
}

/** Errors: USAGE. */
function parseChange(args: ParsedArguments): PermissionChange | undefined {
  const [, tool, rule] = args.positionals;
  const preset = toolPresets.find((each) => each === optionValue(args, 'preset'));
  const changedToolRule = changedToolChoices.find((each) => each === optionValue(args, 'changed-tools'));
  if (
    [tool, preset, changedToolRule, ...capabilities.map((each) => optionValue(args, each))].filter(
      (value) => value !== undefined,
    ).length > 1
  )
    throw new UsageError('Give only one change: a tool with its rule, or one option.', args.command);
  if (changedToolRule !== undefined && optionValue(args, 'app') !== undefined)
    throw new UsageError('--changed-tools applies to all apps and cannot be used with --app.', args.command);
  if (changedToolRule !== undefined) return { changedTools: changedToolRule === withoutRule ? null : changedToolRule };
  const offer = capabilities.find((each) => optionValue(args, each) !== undefined);
  if (offer !== undefined) return { offer, allowed: optionValue(args, offer) === 'on' };
  if (tool === undefined) return preset && { preset };
  if (tool === '' || tool.length > permissionBounds.tool)
    throw new UsageError(`A tool name has 1 to ${permissionBounds.tool} characters.`, args.command);
  if (rule === withoutRule) return { tool, rule: null };
  const known = toolRules.find((each) => each === rule);
  if (!known)
    throw new UsageError(
      `Give a rule for the tool: ${toolRules.join(', ')} or default.${didYouMean(rule ?? '', [...toolRules, withoutRule])}`,
      args.command,
    );
  return { tool, rule: known };
}

const presetWords = {
  everything: 'all tools allowed',
  'ask-changes': 'tools not marked read-only ask each time',
  'read-only': 'tools not marked read-only are denied',
  'only-allowed': 'tools without a rule are denied',
} as const;

function describe(
  { name, permissions = {} }: Pick<Integration, 'name' | 'permissions'>,
  records: readonly AppRecord[],
  forAll: ChangedToolRule | undefined,
  advise: (sentence: string) => string,
): string {
  const { apps = [] }: ToolPermissions = permissions;
  const own = apps.map(({ app, ...level }) => {
    const appLabel = printableLine(appName(app, records) ?? app);
    return [`Also for ${appLabel}: ${describeLevel(level)}`, ...describeDenied(permissions, level)].join('\n');
  });
  const held = holdsChanges(withChangedToolRule(permissions, forAll))
    ? [
        advise(
          `New and changed tools are blocked until you review them (\`${writeServerCommand('permit', name, '--review')}\`).`,
        ),
      ]
    : [];
  return [`“${printableLine(name)}”, for all AI apps: ${describeLevel(permissions)}`, ...own, ...held].join('\n');
}

/** Rules of this app without effect, because the tool is denied for all. */
function describeDenied(forAll: PermissionLevel, { rules = [] }: PermissionLevel): readonly string[] {
  return rules
    .filter(({ tool, rule }) => rule !== 'deny' && ownRule(forAll, tool) === 'deny')
    .map(({ tool }) => `  ${printableLine(tool)} stays denied, because it is denied for all AI apps`);
}

function describeLevel({ preset = 'everything', rules = [], without = [] }: PermissionLevel): string {
  const off = without.map((offer) => ` No ${offer}.`).join('');
  const single = rules.map(({ tool, rule }) => `\n  ${rule.padEnd(5)}  ${printableLine(tool)}`);
  return `${presetWords[preset]}.${off}${single.join('')}`;
}

/**
 * `postern permit ID --review`: shows how a server's tools changed since the last review; `--accept` accepts that.
 * Errors: as `tools`, CFG_*.
 */
async function review(context: CommandContext): Promise<CommandResult> {
  // Loaded only here: changing rules needs no engine.
  const { openIntegration } = await import('../opening/open-command-engine.ts');
  const { ports, integration, access, history } = await openIntegration(context);
  const { id, name } = integration;
  const { changed, more, ...found } = await changedTools({ ports, access, history }, { id, live: true });
  context.steps.clear();
  const gone = found.gone.map((each) => each.name);
  const isAccepted = hasOption(context.args, 'accept');
  // Accepts only the changes that are shown.
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
  /** Number of changes not shown. */
  readonly more: number;
  readonly isAccepted: boolean;
  /** See `Output.advise`. */
  readonly advise: (sentence: string) => string;
}

/** The changed tools of a server, with word-level diffs. */
function describeChanges({ name, changed, gone, more, isAccepted, advise }: Changes): string {
  if (changed.length + gone.length === 0)
    return `No tools of “${printableLine(name)}” have changed since your last review.`;
  const lastLine = isAccepted
    ? 'You have accepted these changes.'
    : advise(`To accept these changes: \`${writeServerCommand('permit', name, '--review --accept')}\`.`);
  return [
    ...changed.map(describeToolChange),
    ...gone.map((tool) => `${printableLine(tool, 160)} (removed)`),
    ...(more > 0 ? [`${formatCount(more, 'more has', 'more have')} changed.`] : []),
    lastLine,
  ].join('\n\n');
}

function describeToolChange({ tool, kind, places, isCut }: ToolChange): string {
  const lines = places.map(
    ({ where, words }) => `  ${printableLine(where.join('.'), 200)}: ${words.map(markPiece).join('')}`,
  );
  return [
    `${printableLine(tool, 160)} (${kind})`,
    ...lines,
    ...(isCut ? ['  There are more differences than can be shown.'] : []),
  ].join('\n');
}

/** In the format of `git diff --word-diff`. */
function markPiece({ kind, text }: ChangedPiece): string {
  const escaped = printable(text);
  if (kind === 'same') return escaped;
  return kind === 'gone' ? `[-${escaped}-]` : `{+${escaped}+}`;
}
