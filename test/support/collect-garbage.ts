import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Collects everything unreachable, so that what remains is referenced. */
export const collectGarbage = runInNewContext('gc') as () => void;
