/** How often something is tried: `full` times, and a fifth of that under `npm run check`. */
export const runs = (full: number): number => (process.env['POSTERN_QUICK'] === '1' ? Math.ceil(full / 5) : full);
