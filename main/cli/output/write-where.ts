import type { ProgramFile } from '../../program-ports.ts';
import { writeReference } from './write-command.ts';

/** The words of a command about an entry in `file`, behind the name of the program. An id may begin as an option does. */
export function writeWhere({ project, editorProfile }: ProgramFile): string {
  if (project !== undefined) return ` --project ${writeReference(project)}`;
  return editorProfile === undefined ? '' : ` --editor-profile=${editorProfile}`;
}
