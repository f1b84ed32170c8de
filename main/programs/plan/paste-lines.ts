import type { PasteLines } from '../../../shared/remedy.ts';
import { PosternError } from '../../postern-error.ts';
import type { PlannedChange } from './planned-change.ts';

/** A change that Postern could not make, and that a person can. */
export class UnmadeChange extends PosternError {
  readonly paste: PasteLines;

  constructor({ code, options }: PosternError, paste: PasteLines) {
    super(code, { ...options, remedy: paste });
    this.paste = paste;
  }
}

/** What a person can put there by hand, of a change that Postern could not make; of somebody else's entry nothing. */
export function linesToPaste({ edits, restores, shown }: PlannedChange): string | undefined {
  const adds = edits.length > 0 && edits.every(({ entry }) => entry !== undefined);
  return adds && !restores ? shown.after : undefined;
}

/** The same error with the lines that a person can paste. */
export function withLines(error: PosternError, planned: PlannedChange): PosternError {
  const lines = linesToPaste(planned);
  if (lines === undefined) return error;
  const secret = planned.secret === 'header';
  const first = firstStep(error);
  const isInline = planned.isInline === true;
  const remedy: PasteLines = {
    kind: 'paste-lines',
    advice: `${firstSteps[first]}, or ${isInline ? 'put this yourself between the braces that its servers stand in, with a comma between two' : 'put these lines there yourself'}.${secret ? ` ${secretAdvice}` : ''}`,
    first,
    isInline,
    path: planned.file.path,
    lines,
    secret,
  };
  return new UnmadeChange(error, remedy);
}

const secretAdvice = 'A secret of this program stands in them: put them nowhere else.';

const firstSteps: Readonly<Record<PasteLines['first'], string>> = {
  'replace-file': 'Put an ordinary file there that you may write to and try again',
  'try-again': 'Try again',
  'fix-file': 'The file was left as it is: fix it and try again',
};

function firstStep({ code }: PosternError): PasteLines['first'] {
  switch (code) {
    case 'PROGRAM_FILE_DENIED':
      return 'replace-file';
    case 'PROGRAM_COMMAND_FAILED':
      return 'try-again';
    default:
      return 'fix-file';
  }
}
