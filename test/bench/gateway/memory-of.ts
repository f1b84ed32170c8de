import { readFileSync } from 'node:fs';

/** Resident megabytes (10^6) of a process. NaN except on Linux. */
export function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kilobytes) * 1_024) / 1e6;
  } catch {
    return NaN;
  }
}
