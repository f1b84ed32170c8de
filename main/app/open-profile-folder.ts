import { mkdtemp } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { installation } from '../cli/installation.ts';
import { PosternError } from '../postern-error.ts';
import { openProfile } from '../storage/profile-folder.ts';

export interface ProfileFolder {
  readonly folder: string;
  /** Why it is a temporary one: the window opens in any case, and says so. */
  readonly error?: PosternError;
}

/** The profile folder, or one that ends with this run where the real one cannot be made. */
export async function openProfileFolder(): Promise<ProfileFolder> {
  try {
    return await openProfile({
      env: process.env,
      platform: process.platform,
      home: homedir(),
      channel: installation().channel,
    });
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { folder: await mkdtemp(path.join(tmpdir(), 'postern-')), error };
  }
}
