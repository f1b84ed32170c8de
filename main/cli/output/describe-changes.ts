import type { ChangedPiece, ToolChange } from '../../../shared/tool-change.ts';
import { printable, printableLine } from '../text/printable.ts';
import { writeUse } from './write-command.ts';

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
    : advise(`To take it as it is: \`${writeUse('review', name, '--accept')}\`.`);
  return [
    ...changed.map(describeOne),
    ...gone.map((tool) => `${printableLine(tool, 160)} (gone)`),
    ...(more > 0 ? [`${more} more have changed.`] : []),
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
