import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process has started, in words of the system that stay the same for as long as it runs; `undefined` where there
 * is none, or the system does not say. A number alone is soon another process's.
 */
export function startOf(pid: number): string | undefined {
  try {
    switch (process.platform) {
      case 'linux':
        return fromStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
      case 'win32':
        return ask('powershell.exe', [
          '-NoProfile',
          '-NonInteractive',
          '-Command',
          `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`,
        ]);
      default:
        return ask('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]);
    }
  } catch {
    return undefined;
  }
}

/** proc(5): the name in parentheses may hold anything, and the 22nd field is the start since boot. A zombie has ended. */
function fromStat(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? undefined : fields[19];
}

function ask(command: string, words: readonly string[]): string | undefined {
  const said = execFileSync(command, words, { encoding: 'utf8', timeout: 5_000, stdio: ['ignore', 'pipe', 'ignore'] });
  return said.trim() || undefined;
}
