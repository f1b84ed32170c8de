import { readFileSync } from 'node:fs';

/** Megabytes (10^6) of a process that are in memory now. NaN where this is not Linux. */
export function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kilobytes) * 1_024) / 1e6;
  } catch {
    return NaN;
  }
}
