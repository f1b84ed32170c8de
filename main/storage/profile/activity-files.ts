import { readdirSync } from 'node:fs';
import path from 'node:path';
import { refuseLinks } from '../../plain-file.ts';

/** `DIR/activity/`: calls as JSON lines, in files with numbers that only grow, the newest with the largest. */
export function activityFolder(profileFolder: string): string {
  return path.join(profileFolder, 'activity');
}

/** Numbers of the files that are there, oldest first. Of a folder that a link names, or that cannot be read, none. */
export function activityNumbers(folder: string): readonly number[] {
  try {
    refuseLinks(folder);
    return readdirSync(folder)
      .flatMap((name) => /^(\d{8})\.jsonl$/u.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((one, other) => one - other);
  } catch {
    return [];
  }
}

export function activityFile(folder: string, number: number): string {
  return path.join(folder, `${String(number).padStart(8, '0')}.jsonl`);
}
