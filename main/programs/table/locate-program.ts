import { isOtherProgram } from '../../../shared/program-record.ts';
import type { ProgramFile, ProgramFiles } from '../../program-ports.ts';
import type { PosternError } from '../../postern-error.ts';
import type { Program } from './program.ts';
import { folderOf, pathHere, type Surroundings } from './surroundings.ts';

/** Where a program keeps its servers on this computer. Nothing of it has been read. */
export interface LocatedProgram {
  readonly program: Program;
  /** It is installed, as far as its folders tell. */
  readonly found: boolean;
  /** The file that it reads, or will read once it is there; without a path where only the person knows it. */
  readonly file: ProgramFile;
  /** Every place, the one it reads first. */
  readonly places: readonly { readonly path: string; readonly isThere: boolean }[];
}

export async function locateProgram(
  program: Program,
  files: Pick<ProgramFiles, 'find'>,
  surroundings: Surroundings,
): Promise<LocatedProgram> {
  const places = await Promise.all(
    program.files[surroundings.system].map(async ({ path: template, counts }) => {
      const path = pathHere(template, surroundings);
      const [itself, folder] = await Promise.all([files.find(path), files.find(folderOf(path))]);
      const named = folder ? `${folder.path}${path.slice(folderOf(path).length)}` : path;
      const isHere = counts === 'folder' ? folder !== undefined : itself !== undefined;
      return { path: itself?.path ?? named, isThere: itself !== undefined, hasFolder: folder !== undefined, isHere };
    }),
  );
  // One that a person has added: only they know where.
  if (isOtherProgram(program.id)) return { program, found: true, file: { path: '' }, places };
  const used = places.find(({ isHere }) => isHere) ?? places.at(-1);
  if (!used) throw new RangeError(`no file of ${program.id}`);
  const signs = (program.foundBy ?? []).map((template) => files.find(pathHere(template, surroundings)));
  const found = program.foundBy
    ? (await Promise.all(signs)).some((sign) => sign !== undefined)
    : places.some(({ hasFolder }) => hasFolder);
  return {
    program,
    found,
    file: { path: used.path },
    places: [used, ...places.filter((place) => place !== used && place.isThere)].map(({ path, isThere }) => ({
      path,
      isThere,
    })),
  };
}

/** Why its file cannot be read, as far as that shows without reading it. */
export async function faultAtAGlance(
  files: Pick<ProgramFiles, 'faultAtAGlance'>,
  { file, places }: Pick<LocatedProgram, 'file' | 'places'>,
): Promise<PosternError | undefined> {
  return places[0]?.isThere === true ? await files.faultAtAGlance(file) : undefined;
}
