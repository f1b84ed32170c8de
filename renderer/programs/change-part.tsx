import type { ProgramPreview } from '../../shared/program-view.ts';
import { words } from '../words.ts';

/** The whole change of one program's file: where, the lines, and what they hold. */
export function ChangePart({ change }: { readonly change: ProgramPreview }) {
  const { action, path, before, after, commands, restores, secret } = change;
  const isKept = action === 'updated' || action === 'deleted' || action === 'command';
  const remarks = [after.length > 0 && !restores && words.programs.secrets[secret], isKept && words.programs.copyKept];
  return (
    <>
      <p className="program-path mono">{path}</p>
      <Lines label={words.programs.goes} sign="−" kind="goes" lines={before} />
      <Lines label={words.programs.comes} sign="+" kind="comes" lines={after} />
      <Lines label={words.programs.commands} sign="$" kind="runs" lines={commands} />
      <p className="soft">{remarks.filter(Boolean).join(' ')}</p>
    </>
  );
}

interface LinesProps {
  readonly label: string;
  readonly sign: string;
  readonly kind: string;
  readonly lines: readonly string[];
}

export function Lines({ label, sign, kind, lines }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <ul className={`preview-lines mono ${kind}`} aria-label={label}>
      {lines.map((line, index) => (
        <li key={index}>
          <span className="preview-sign" aria-hidden="true">
            {sign}
          </span>
          <span className="preview-text">{line}</span>
        </li>
      ))}
    </ul>
  );
}
