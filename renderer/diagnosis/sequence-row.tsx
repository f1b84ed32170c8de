import { words } from '../words.ts';
import type { LaneStep } from './sequence-lanes.ts';

interface SequenceRowProps {
  readonly id: string;
  readonly step: LaneStep;
  readonly lanes: number;
  /** Names of the two ends, for those who hear the row. */
  readonly from: string;
  readonly to: string;
  readonly selected: boolean;
  readonly onChoose: () => void;
}

export function SequenceRow({ id, step, lanes, from, to, selected, onChoose }: SequenceRowProps) {
  const { entry, back } = step;
  const middle = (lane: number): number => ((lane + 0.5) / lanes) * 100;
  const start = middle(step.from);
  const end = middle(step.to);
  const home = middle(back);
  const answer = describeAnswer(entry);
  return (
    <div
      id={id}
      className={`sequence-row ${entry.verdict}${selected ? ' selected' : ''}`}
      role="option"
      aria-selected={selected}
      onClick={onChoose}
    >
      {/* Longer than its arrow it may be: nothing else stands on this line. */}
      <span className="sequence-word there" style={{ left: `${start}%`, maxWidth: `${100 - start}%` }}>
        <span className="sequence-number">{entry.number}</span> {words.diagnosis.purposes[entry.purpose]}
      </span>{' '}
      <svg className="sequence-arrows" width="100%" height="58" aria-hidden="true">
        {Array.from({ length: lanes }, (_, lane) => (
          <line key={lane} className="life-line" x1={`${middle(lane)}%`} x2={`${middle(lane)}%`} y1="0" y2="58" />
        ))}
        <Arrow from={start} to={end} y={25} kind="there" />
        <Arrow from={end} to={home} y={37} kind="back" />
      </svg>
      <span className="sequence-word back" style={{ left: `${home}%`, width: `${end - home}%` }}>
        {answer}
      </span>
      <span className="hidden">
        , {from} → {to}, {words.diagnosis.verdicts[entry.verdict]}
      </span>
    </div>
  );
}

function describeAnswer({ status, code, purpose, verdict }: LaneStep['entry']): string {
  if (status !== undefined) return String(status);
  // The browser alone saw the status of the page; what counts is that the answer came back.
  if (purpose === 'authorization' && verdict === 'used') return words.diagnosis.cameBack;
  // Both wires of MCP are asked at once; the answer of one makes the other needless.
  if (code === 'USER_CANCELLED' && verdict === 'passed-over') return words.diagnosis.notNeeded;
  return code ?? words.diagnosis.noAnswer;
}

function Arrow({ from, to, y, kind }: { from: number; to: number; y: number; kind: 'there' | 'back' }) {
  const tip = to > from ? -1 : 1;
  return (
    <>
      <line className={`arrow ${kind}`} x1={`${from}%`} x2={`${to}%`} y1={y} y2={y} />
      <svg x={`${to}%`} y={y} overflow="visible">
        <path className={`arrow-head ${kind}`} d={`M${tip * 7} -4 L${tip} 0 L${tip * 7} 4`} />
      </svg>
    </>
  );
}
