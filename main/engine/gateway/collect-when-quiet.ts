import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two looks, of work after which one collection is worth it, and of work in a quiet moment. */
const look = 500;
const much = 250;
const little = 25;

/**
 * Node looks for garbage when it needs room: a service would keep all that its busiest moment took, since nobody calls
 * it then. So that is looked for once it has worked and is quiet, which takes some 30 ms. Answers what ends it.
 */
export function collectWhenQuiet(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  let last = process.cpuUsage();
  let worked = 0;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    const now = (user + system) / 1_000;
    worked += now;
    if (worked < much || now > little) return;
    collect({ type: 'major', flavor: 'last-resort' });
    worked = 0;
    last = process.cpuUsage();
  }, look).unref();
  return () => clearInterval(timer);
}
