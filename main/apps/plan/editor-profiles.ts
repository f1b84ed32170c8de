import * as z from 'zod/mini';
import { ProgramFileFault } from '../../program-ports.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { ListFault } from '../list/entry-list.ts';
import { parseJsonTree, valueOf } from '../list/json-list.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { folderOf, locateProgram } from '../table/program.ts';
import type { Program } from '../table/program.ts';

/** A profile of an editor of the family of VS Code, which may have a list of its own. */
export interface EditorProfile {
  /** The person's name for it. */
  readonly name: string;
  /** Of its folder. */
  readonly id: string;
  /** Where its list is: its own, or that of the default profile. */
  readonly file: ProgramFile;
}

// As VS Code keeps it (StoredUserDataProfile).
const profileSchema = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(200)),
  location: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  useDefaultFlags: z.optional(z.object({ mcp: z.optional(z.boolean()) })),
});
const storageSchema = z.object({ userDataProfiles: z.optional(z.array(z.unknown())) });

/**
 * The profiles that `program` has beside the default one; none where it knows of none. Its own list of them is read, since
 * folders outlive the profiles that made them. Errors: PROGRAM_FILE_DENIED, PROGRAM_FILE_DAMAGED.
 */
export async function editorProfiles(
  { files, surroundings }: Pick<ProgramEngine, 'files' | 'surroundings'>,
  program: Program,
): Promise<readonly EditorProfile[]> {
  if (program.hasProfiles !== true) return [];
  const { file } = await locateProgram(program, files, surroundings);
  const separator = surroundings.system === 'win32' ? '\\' : '/';
  const at = (...names: readonly string[]): string => [folderOf(file.path), ...names].join(separator);
  const path = at('globalStorage', 'storage.json');
  const text = await files.read({ path });
  const { userDataProfiles = [] } = storageSchema.safeParse(text === undefined ? {} : parse(path, text)).data ?? {};
  return userDataProfiles.flatMap((stored): readonly EditorProfile[] => {
    const { name, location: id, useDefaultFlags } = profileSchema.safeParse(stored).data ?? {};
    if (name === undefined || id === undefined) return [];
    const own = { path: at('profiles', id, 'mcp.json'), editorProfile: id };
    return [{ name, id, file: useDefaultFlags?.mcp === true ? file : own }];
  });
}

function parse(path: string, text: string): unknown {
  try {
    const tree = parseJsonTree(text, { comments: true, trailingCommas: true });
    return tree && valueOf(tree);
  } catch (error) {
    if (!(error instanceof ListFault)) throw error;
    throw new ProgramFileFault('damaged', { file: path, format: 'JSON' });
  }
}
