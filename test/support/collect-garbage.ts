import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Everything that nobody holds is gone afterwards, so that what is still there is held. */
export const collectGarbage = runInNewContext('gc') as () => void;
