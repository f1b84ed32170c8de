import { mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** `not-allowed`: needs an administrator. `occupied`: another file has that name. */
type LinkOutcome = 'linked' | 'not-allowed' | 'occupied';

/** Creates `link` to `launcher`. Only replaces a link of an earlier installation. */
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

/** The command line that creates the link as an administrator. */
export function manualLinkCommand(launcher: string, link: string): string {
  const quoted = `'${launcher.replaceAll("'", `'\\''`)}'`;
  return `sudo mkdir -p ${path.dirname(link)} && sudo ln -sf ${quoted} ${link}`;
}

function readLink(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch (error) {
    // Not a link, so not ours to replace.
    if ((error as NodeJS.ErrnoException).code === 'EINVAL')
      throw Object.assign(new Error('occupied'), { code: 'EEXIST' });
    return undefined;
  }
}
