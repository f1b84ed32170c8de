import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Preloaded into a process: writes its peak memory, in KiB, to the file in PEAK_MEMORY_FILE. JavaScript, because Node
 * takes 20 MB to read TypeScript. Linux's `maxRSS` starts with the memory of the parent process.
 */
function peak() {
  if (process.platform !== 'linux') return String(process.resourceUsage().maxRSS);
  return /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
}

process.on('exit', () => writeFileSync(process.env['PEAK_MEMORY_FILE'] ?? '', peak()));
