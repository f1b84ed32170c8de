import { existsSync } from 'node:fs';
import path from 'node:path';
import { product } from '../../../shared/product.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { addAppFolder, alterArchive, alteredVersion, breakKeytar, replaceKeytar } from './damage.ts';
import { runPostern } from './run-postern.ts';
import { askVersion, copyPostern } from './tested-postern.ts';
import type { TestedPostern } from './tested-postern.ts';

/** How Postern reacts to tampering; `unclear` is a failure everywhere. */
export type Reaction = 'refuses' | 'runs it' | 'unclear';

/** With a changed archive (PK-03). */
export async function withAlteredArchive(postern: TestedPostern): Promise<Reaction> {
  const copy = copyPostern(postern);
  // A copy that does not start unchanged would prove nothing.
  if ((await askVersion(copy)).last['version'] !== product.version) return 'unclear';
  alterArchive(copy);
  const { last, stayed } = await askVersion(copy);
  if (last['version'] === alteredVersion) return 'runs it';
  return last['version'] === undefined && !stayed ? 'refuses' : 'unclear';
}

/** With an `app` folder beside its archive, which Electron would load instead (PK-03). */
export async function withAppFolder(postern: TestedPostern): Promise<Reaction> {
  const copy = copyPostern(postern);
  const marker = path.join(temporaryFolder(), 'evil-was-here');
  addAppFolder(copy, marker);
  const { last } = await askVersion(copy);
  if (existsSync(marker)) return 'runs it';
  return last['version'] === product.version ? 'refuses' : 'unclear';
}

/** With a replaced keychain library (PK-04). */
export async function withForeignKeytar(postern: TestedPostern): Promise<Reaction> {
  const copy = copyPostern(postern);
  const marker = path.join(temporaryFolder(), 'evil-was-here');
  replaceKeytar(copy, marker);
  const isTyped = await hasNoKeychain(copy);
  if (existsSync(marker)) return 'runs it';
  return isTyped ? 'refuses' : 'unclear';
}

/** Without a library it runs and reports that it has no keychain (PK-04). */
export async function livesWithoutKeytar(postern: TestedPostern): Promise<boolean> {
  const copy = copyPostern(postern);
  breakKeytar(copy);
  return await hasNoKeychain(copy);
}

async function hasNoKeychain(postern: TestedPostern): Promise<boolean> {
  const { last } = await runPostern([...postern.command, 'doctor', '--json'], postern);
  const checks = (last['checks'] ?? []) as readonly { readonly name: string; readonly code?: string }[];
  return last['healthy'] === false && checks.some(({ name, code }) => name === 'keychain' && code === 'KC_UNAVAILABLE');
}
