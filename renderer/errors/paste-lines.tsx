import { CopyButton } from '../parts/copy-button.tsx';
import { Lines } from '../parts/lines.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';

interface PasteLinesProps {
  /** Left out where it was named already. */
  readonly path: string | undefined;
  readonly lines: readonly string[];
  /** Main copies by it: the lines as they have to stand there. */
  readonly token: string | undefined;
}

/** Lines that a person puts into the file of a program. */
export function PasteLines({ path, lines, token }: PasteLinesProps) {
  return (
    <>
      {path !== undefined && <p className="program-path mono">{path}</p>}
      <Lines label={words.programs.comes} sign="+" kind="comes" lines={lines} />
      {token !== undefined && (
        <div>
          <CopyButton
            label={words.programs.copyLines}
            onCopy={async () => (await postern.program.copyLines({ token })).ok}
          />
        </div>
      )}
    </>
  );
}
