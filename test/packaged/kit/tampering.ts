import { existsSync } from 'node:fs';
import path from 'node:path';
import { product } from '../../../shared/product.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { addAppFolder, alterArchive, alteredVersion, breakKeytar, replaceKeytar } from './damage.ts';
import { runProgram } from './run-program.ts';
import { askVersion, copyProgram } from './tested-program.ts';
import type { TestedProgram } from './tested-program.ts';

/** What a program does with something foreign in its place: `unclear` is for neither, and is a failure everywhere. */
export type Reaction = 'refuses' | 'runs it' | 'unclear';

/** With other bytes in its archive (PK-03). */
export async function withAlteredArchive(program: TestedProgram): Promise<Reaction> {
  const copy = copyProgram(program);
  // A copy that does not start as it is would prove nothing.
  if ((await askVersion(copy)).last['version'] !== product.version) return 'unclear';
  alterArchive(copy);
  const { last, stayed } = await askVersion(copy);
  if (last['version'] === alteredVersion) return 'runs it';
  return last['version'] === undefined && !stayed ? 'refuses' : 'unclear';
}

/** With a folder `app` beside its archive, which Electron would load in its place (PK-03). */
export async function withAppFolder(program: TestedProgram): Promise<Reaction> {
  const copy = copyProgram(program);
  const marker = path.join(temporaryFolder(), 'evil-was-here');
  addAppFolder(copy, marker);
  const { last } = await askVersion(copy);
  if (existsSync(marker)) return 'runs it';
  return last['version'] === product.version ? 'refuses' : 'unclear';
}

/** With another library in the place of the keychain's (PK-04). */
export async function withForeignKeytar(program: TestedProgram): Promise<Reaction> {
  const copy = copyProgram(program);
  const marker = path.join(temporaryFolder(), 'evil-was-here');
  replaceKeytar(copy, marker);
  const isTyped = await hasNoKeychain(copy);
  if (existsSync(marker)) return 'runs it';
  return isTyped ? 'refuses' : 'unclear';
}

/** With no library at all there, it runs, and says that it has no keychain (PK-04). */
export async function livesWithoutKeytar(program: TestedProgram): Promise<boolean> {
  const copy = copyProgram(program);
  breakKeytar(copy);
  return await hasNoKeychain(copy);
}

async function hasNoKeychain(program: TestedProgram): Promise<boolean> {
  const { last } = await runProgram([...program.command, 'doctor', '--json'], program);
  const checks = (last['checks'] ?? []) as readonly { readonly name: string; readonly code?: string }[];
  return last['healthy'] === false && checks.some(({ name, code }) => name === 'keychain' && code === 'KC_UNAVAILABLE');
}
