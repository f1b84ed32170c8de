import { mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** What became of the link: there now; only an administrator may make it; something else has its name. */
export type LinkOutcome = 'linked' | 'not-allowed' | 'occupied';

/** Makes `link` lead to `launcher`. Replaces a link of an earlier installation, and nothing else. */
export function linkCommand(launcher: string, link: string): LinkOutcome {
  try {
    mkdirSync(path.dirname(link), { recursive: true });
    const target = readLink(link);
    if (target === launcher) return 'linked';
    if (target !== undefined) {
      if (!target.endsWith('/Contents/Resources/bin/postern')) return 'occupied';
      rmSync(link);
    }
    symlinkSync(launcher, link);
    return 'linked';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'occupied' : 'not-allowed';
  }
}

/** For a terminal, where the program itself may not. */
export function linkByHand(launcher: string, link: string): string {
  const quoted = `'${launcher.replaceAll("'", `'\\''`)}'`;
  return `sudo mkdir -p ${path.dirname(link)} && sudo ln -sf ${quoted} ${link}`;
}

function readLink(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch (error) {
    // A file that is no link is not ours to replace.
    if ((error as NodeJS.ErrnoException).code === 'EINVAL')
      throw Object.assign(new Error('occupied'), { code: 'EEXIST' });
    return undefined;
  }
}
