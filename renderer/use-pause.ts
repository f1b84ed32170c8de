import type { ProgramView } from '../shared/program-view.ts';
import { postern } from './postern.ts';
import { useCall } from './use-call.ts';

/** Pauses a program, or lets it go on. */
export function usePause({ id, isPaused }: Pick<ProgramView, 'id' | 'isPaused'>) {
  const { run, ...call } = useCall<null>();
  return { ...call, turn: () => void run(() => postern.program.pause({ program: id, paused: !isPaused })) };
}
