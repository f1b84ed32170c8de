import { hasFailed } from '../../shared/has-failed.ts';
import { words } from '../words.ts';
import { describeOutcome, nameOfProgram, shortTime } from './describe-call.ts';
import type { NumberedCall } from './use-activity.ts';

interface CallRowProps {
  readonly id: string;
  readonly call: NumberedCall;
  readonly server: string;
  readonly selected: boolean;
  readonly position: number;
  readonly count: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly onOpen: () => void;
}

export function CallRow({ id, call, server, selected, position, count, top, onOpen }: CallRowProps) {
  return (
    <div
      id={id}
      className={`call-row${selected ? ' selected' : ''}${hasFailed(call) ? ' failed' : ''}`}
      role="option"
      aria-selected={selected}
      aria-posinset={position + 1}
      aria-setsize={count}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onOpen}
    >
      <span className="call-time">{shortTime(call.at, Date.now())}</span>{' '}
      <span className="call-program">{nameOfProgram(call)}</span> <span className="call-server">{server}</span>{' '}
      <span className="call-name">{call.tool ?? call.method}</span>{' '}
      <span className="call-outcome">{describeOutcome(call)}</span>{' '}
      <span className="call-took">{words.activity.milliseconds(call.ms)}</span>
    </div>
  );
}
