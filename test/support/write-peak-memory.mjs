import { writeFileSync } from 'node:fs';

// As write-peak-memory.ts, without the 20 MB that Node takes to read TypeScript.
process.on('exit', () => writeFileSync(process.env['PEAK_MEMORY_FILE'] ?? '', String(process.resourceUsage().maxRSS)));
