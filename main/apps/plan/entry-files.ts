// Finds the files of AI apps that may hold our entries.

import type { AppChange } from '../../../shared/app-view.ts';
import { AppFileFault } from '../../app-ports.ts';
import type { AppFile } from '../../app-ports.ts';
import { ourEntries } from '../entry/our-entries.ts';
import type { AppDependencies, EntryTarget } from '../app-dependencies.ts';
import { locateApp } from '../table/app.ts';
import type { App } from '../table/app.ts';
import { apps } from '../table/apps.ts';
import { readAppFile } from './planned-change.ts';

/** A removal that orphans entries: of some servers, of everything, or of one app's access. */
export type Removal =
  | { readonly kind: 'servers' | 'everything'; readonly servers: readonly EntryTarget[] }
  | { readonly kind: 'app'; readonly app: App };

/** A file that may hold our entries. */
export interface EntryFile {
  readonly app: App;
  readonly file: AppFile;
}

/**
 * User and project files that may hold orphaned entries, judging by our records and the log of our changes. Reads none
 * of them. Errors: CFG_*.
 */
export async function findEntryFiles(engine: AppDependencies, removal: Removal): Promise<readonly EntryFile[]> {
  const records = await engine.records.list();
  const changes = await engine.backups.list();
  const files: EntryFile[] = [];
  for (const app of apps) {
    if (removal.kind === 'app' && removal.app.id !== app.id) continue;
    const own = records.filter((record) => record.app === app.id);
    const appChanges = changes.filter((change) => change.app === app.id);
    if (own.length === 0 && appChanges.length === 0) continue;
    const isAllowed =
      removal.kind !== 'servers' ||
      removal.servers.some(({ id }) => own.some((each) => each.integrations.includes(id)));
    const { isInstalled, file } = await locateApp(app, engine.files, engine.host);
    // Earlier files count too: the app may have switched to another file, and may switch back.
    const candidates = [
      ...(isAllowed && isInstalled ? [file] : []),
      ...appChanges
        .filter((each) => isAllowed || each.project !== undefined || each.editorProfile !== undefined)
        .map(fileOf),
    ];
    const distinct = new Map(candidates.map((candidate) => [candidate.path, candidate]));
    files.push(...[...distinct.values()].map((candidate) => ({ app, file: candidate })));
  }
  return files;
}

export function fileOf({ path, project, editorProfile }: AppChange): AppFile {
  return { path, ...(project !== undefined && { project }), ...(editorProfile !== undefined && { editorProfile }) };
}

/** Another file of an app, and the servers of its entries (alias or ID). */
interface OtherFile {
  readonly file: AppFile;
  readonly servers: readonly string[];
}

/**
 * The other files of `app` that we know of. One that cannot be read counts as having no working entry. Errors: CFG_*.
 */
async function readOtherFiles(engine: AppDependencies, app: App, path: string): Promise<readonly OtherFile[]> {
  const files = await findEntryFiles(engine, { kind: 'app', app });
  const others = files.filter(({ file }) => file.path !== path);
  return await Promise.all(
    others.map(async ({ file }) => {
      try {
        const { content } = await readAppFile(engine, app, file);
        return { file, servers: (await ourEntries(engine, file.path, content)).map(({ server }) => server) };
      } catch (error) {
        if (!(error instanceof AppFileFault)) throw error;
        return { file, servers: [] };
      }
    }),
  );
}

/**
 * Servers of entries in other files. All entries for a server share one permission, which stays until the last one is
 * removed. Errors: CFG_*.
 */
export async function serversInOtherFiles(engine: AppDependencies, app: App, path: string): Promise<readonly string[]> {
  return (await readOtherFiles(engine, app, path)).flatMap(({ servers }) => servers);
}

/** Other files with an entry for one of these servers. Errors: CFG_*. */
export async function otherFilesUsing(
  engine: AppDependencies,
  app: App,
  path: string,
  integrations: readonly EntryTarget[],
): Promise<readonly AppFile[]> {
  const others = await readOtherFiles(engine, app, path);
  return others
    .filter(({ servers }) =>
      integrations.some(({ id, alias }) => servers.some((each) => each === id || each === alias)),
    )
    .map(({ file }) => file);
}

/** Files that may hold entries with a URL. Reads none of them. Errors: CFG_*. */
export async function filesWithUrls(
  engine: AppDependencies,
  integrations: readonly EntryTarget[],
): Promise<readonly EntryFile[]> {
  const files = await findEntryFiles(engine, { kind: 'everything', servers: integrations });
  return files.filter(({ app }) => app.http !== undefined);
}
