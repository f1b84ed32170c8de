import type { ChangedPiece, ToolChange } from '../../../shared/approval-view.ts';
import { counted } from '../../../shared/language.ts';
import { acceptChanges, changedTools } from '../../operations/permissions.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/open-command-engine.ts';
import { hasOption } from '../options/parse-arguments.ts';
import type { Answer } from '../output/output.ts';
import { writeUse } from '../output/write-command.ts';
import { printable, printableLine } from '../text.ts';

/**
 * `postern permit ID --review`: what tools of a server say otherwise than when a person looked at them last; with `--accept` that
 * is what they looked at. Errors: as `tools`, CFG_*.
 */
export async function review(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  const { id, name } = integration;
  const { changed, more, ...found } = await changedTools({ ports, access }, { id, live: true });
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
