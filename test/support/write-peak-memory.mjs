import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Loaded beside a program: writes the most memory that it had, in KiB, to the file that PEAK_MEMORY_FILE names. In
 * JavaScript, since Node takes 20 MB to read TypeScript. What Linux counts as `maxRSS` begins with what the process had
 * that started the program.
 */
function peak() {
  if (process.platform !== 'linux') return String(process.resourceUsage().maxRSS);
  return /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
}

process.on('exit', () => writeFileSync(process.env['PEAK_MEMORY_FILE'] ?? '', peak()));
