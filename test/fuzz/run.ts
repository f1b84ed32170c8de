import { parseArgs } from 'node:util';
import { everyTarget } from './every-target.ts';

/**
 * `npm run fuzz`: 100,000 runs of each target (fewer for expensive ones), with a new seed each time.
 * `-- --seed N --runs N --only WORDS` reproduces a finding.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
  },
});
const seed = Number(values.seed ?? Math.trunc(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);

let failed = 0;
let total = 0;
for (const { name, cost, check } of everyTarget.filter((target) => target.name.includes(values.only))) {
  const runs = Math.max(1, Math.trunc(Number(values.runs) / cost));
  const started = performance.now();
  try {
    await check(runs, seed);
    total += runs;
    console.log(`ok      ${name} (${runs} runs, ${((performance.now() - started) / 1_000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name} (seed ${seed})\n${String(error)}`);
  }
}
console.log(`fuzz: ${total} runs, ${failed} targets failed`);
process.exitCode = failed === 0 && total > 0 ? 0 : 1;
