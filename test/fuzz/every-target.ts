import { documentTargets } from './document-targets.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { gatewayTargets } from './gateway-targets.ts';
import { linearTargets } from './linear-targets.ts';
import { listenerTargets } from './listener-targets.ts';
import { pipeTargets } from './pipe-targets.ts';
import { textTargets } from './text-targets.ts';

export const everyTarget: readonly FuzzTarget[] = [
  ...textTargets,
  ...documentTargets,
  ...linearTargets,
  ...listenerTargets,
  ...pipeTargets,
  ...gatewayTargets,
];
