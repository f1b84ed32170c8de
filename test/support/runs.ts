/** Number of repetitions: `full`, or a fifth of that in `npm run check`. */
export const runs = (full: number): number => (process.env['POSTERN_QUICK'] === '1' ? Math.ceil(full / 5) : full);
