import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { profileSurroundings } from '../engine/installation.ts';
import type { Installation } from '../engine/installation.ts';
import { PosternError } from '../postern-error.ts';
import { makeProfileFolder } from '../storage/profile/profile-folder.ts';

export interface ProfileFolder {
  readonly folder: string;
  /** Why it is a temporary one: the window opens in any case, and says so. */
  readonly error?: PosternError;
}

/** The profile folder, or one that ends with this run where the real one cannot be made. */
export async function openProfileFolder(installation: Installation): Promise<ProfileFolder> {
  try {
    return { folder: await makeProfileFolder(profileSurroundings(installation)) };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { folder: await mkdtemp(path.join(tmpdir(), 'postern-')), error };
  }
}
