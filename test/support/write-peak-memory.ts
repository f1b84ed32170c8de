import { writeFileSync } from 'node:fs';

/** Loaded beside a program: writes the most memory that it had, in KiB, to the file that PEAK_MEMORY_FILE names. */
process.on('exit', () => writeFileSync(process.env['PEAK_MEMORY_FILE'] ?? '', `${process.resourceUsage().maxRSS}`));
