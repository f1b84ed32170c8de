import { useId, useMemo, useRef } from 'react';
import type { CSSProperties, KeyboardEvent } from 'react';
import type { TraceEntry } from '../../shared/trace.ts';
import { HostName } from '../parts/host-name.tsx';
import { targetOfKey } from '../parts/target-of-key.ts';
import { words } from '../words.ts';
import { layOutSequence } from './sequence-lanes.ts';
import type { Lane } from './sequence-lanes.ts';
import { SequenceRow } from './sequence-row.tsx';
import './sequence-diagram.css';

interface SequenceDiagramProps {
  readonly entries: readonly TraceEntry[];
  /** Number of the entry whose details are shown. */
  readonly chosen: number | undefined;
  readonly onChoose: (number: number) => void;
}

/** A lane for everyone who takes part, time downwards; each request an arrow there and one back. */
export function SequenceDiagram({ entries, chosen, onChoose }: SequenceDiagramProps) {
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const { lanes, steps } = useMemo(() => layOutSequence(entries), [entries]);
  const current = steps.findIndex(({ entry }) => entry.number === chosen);
  const move = (event: KeyboardEvent): void => {
    const target = targetOfKey(event.key, current, undefined, steps.length);
    const step = target === undefined ? undefined : steps[target];
    if (target === undefined || step === undefined) return;
    event.preventDefault();
    onChoose(step.entry.number);
    list.current?.children[target]?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div className="sequence" style={{ '--lanes': lanes.length } as CSSProperties}>
      <div className="sequence-lanes" aria-hidden="true">
        {lanes.map((lane) => (
          <span className={`sequence-lane ${lane.kind}`} key={lane.key}>
            <HostName>{nameOf(lane)}</HostName>
          </span>
        ))}
      </div>
      <div
        ref={list}
        className="sequence-rows"
        role="listbox"
        tabIndex={0}
        aria-label={words.diagnosis.diagram}
        aria-activedescendant={current === -1 ? undefined : `${listId}-${current}`}
        onKeyDown={move}
      >
        {steps.map((step, index) => (
          <SequenceRow
            key={step.entry.number}
            id={`${listId}-${index}`}
            step={step}
            lanes={lanes.length}
            from={nameOf(lanes[step.from])}
            to={nameOf(lanes[step.to])}
            selected={index === current}
            onChoose={() => onChoose(step.entry.number)}
          />
        ))}
      </div>
    </div>
  );
}

function nameOf(lane: Lane | undefined): string {
  if (lane === undefined) return '';
  if (lane.kind === 'host') return lane.host ?? '';
  return lane.kind === 'browser' ? words.diagnosis.you : words.diagnosis.computer;
}
