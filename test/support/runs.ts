/** Number of repetitions: `full`, or a fifth of that in `npm run check`. */
export const runs = (full: number): number => (process.env['POSTERN_QUICK'] === '1' ? Math.ceil(full / 5) : full);

/** Tests that also have a long form take it: part `long-contract` of `npm run test:all`. */
export const isLong = process.env['POSTERN_LONG'] === '1';
