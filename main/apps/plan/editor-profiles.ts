import * as z from 'zod/mini';
import { AppFileFault } from '../../app-ports.ts';
import type { AppFile } from '../../app-ports.ts';
import { ListFault } from '../list/entry-list.ts';
import { parseJsonTree, valueOf } from '../list/json-list.ts';
import type { AppDependencies } from '../app-dependencies.ts';
import { folderOf, locateApp } from '../table/app.ts';
import type { App } from '../table/app.ts';

/** A profile of VS Code or a fork of it, which may have a server list of its own. */
export interface EditorProfile {
  /** As the user named it. */
  readonly name: string;
  /** The name of its folder. */
  readonly id: string;
  /** Its own list, or that of the default profile. */
  readonly file: AppFile;
}

// As VS Code stores it (StoredUserDataProfile).
const profileSchema = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(200)),
  location: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  useDefaultFlags: z.optional(z.object({ mcp: z.optional(z.boolean()) })),
});
const storageSchema = z.object({ userDataProfiles: z.optional(z.array(z.unknown())) });

/**
 * The profiles of `app` besides the default one. Reads the app's own list of them, since the folders of deleted
 * profiles remain. Errors: APP_FILE_DENIED, APP_FILE_DAMAGED.
 */
export async function editorProfiles(
  { files, host }: Pick<AppDependencies, 'files' | 'host'>,
  app: App,
): Promise<readonly EditorProfile[]> {
  if (app.hasProfiles !== true) return [];
  const { file } = await locateApp(app, files, host);
  const separator = host.system === 'win32' ? '\\' : '/';
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
    throw new AppFileFault('damaged', { file: path, format: 'JSON' });
  }
}
