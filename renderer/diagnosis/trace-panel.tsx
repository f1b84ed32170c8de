import { Copy } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { CSSProperties, KeyboardEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { TraceEntry, TraceField } from '../../shared/trace.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { HostName } from '../components/facts.tsx';
import { Choice } from '../components/field.tsx';
import { Notice, Working } from '../components/notice.tsx';
import { targetOfKey } from '../components/use-visible-rows.ts';
import { postern, useCall } from '../postern.ts';
import { formatFullDate, words } from '../words.ts';
import './diagnosis.css';
import { layOutSequence } from './sequence-lanes.ts';
import type { Lane, LaneStep } from './sequence-lanes.ts';

interface TracePanelProps {
  /** Connection or integration ID. */
  readonly id: string;
  /** On an integration's page: allows signing in to record a trace. */
  readonly integration?: IntegrationView;
}

/** The last sign-ins, request by request, with what was sent and received. Contains no secrets. */
export function TracePanel({ id, integration }: TracePanelProps) {
  const call = useCall<IpcOutput<'integration:signIns'>>();
  const [chosen, setChosen] = useState<number>();
  const [signIn, setSignIn] = useState('0');
  const [copied, setCopied] = useState(false);
  const { run } = call;
  const connectionId = integration?.connectionId;
  useEffect(() => {
    void run(() => postern.integration.signIns({ id }));
  }, [run, id, connectionId]);

  if (call.error) return <ErrorNotice error={call.error} />;
  if (call.value === undefined) return <Working>{words.common.loading}</Working>;
  const { signIns } = call.value;
  const { at, entries = [] } = signIns[Number(signIn)] ?? signIns[0] ?? {};
  if (entries.length === 0) {
    const canSignIn = integration !== undefined && integration.method !== 'NoAuth';
    return (
      <div className="stack">
        <p className="soft">
          {words.diagnosis.none} {canSignIn && words.diagnosis.noneNext}
        </p>
        {canSignIn && (
          <div>
            <Button onClick={() => void postern.integration.signInAgain({ id })}>{words.diagnosis.noneAction}</Button>
          </div>
        )}
      </div>
    );
  }
  const stopped = entries.findLast((entry) => entry.verdict === 'stopped');
  const current = entries.find(({ number }) => number === (chosen ?? stopped?.number));
  return (
    <div className="stack">
      <div className="row">
        {signIns.length > 1 ? (
          <Choice
            aria-label={words.diagnosis.signIns}
            value={signIn}
            options={signIns.map((each, index) => ({ value: String(index), label: formatFullDate(each.at) }))}
            onChoose={(next) => {
              setSignIn(next);
              setChosen(undefined);
            }}
          />
        ) : (
          <span className="soft">{words.diagnosis.title}</span>
        )}
        <span className="row push">
          <Button
            icon={Copy}
            title={words.diagnosis.reportHint}
            onClick={() =>
              void postern.desktop.copy({ kind: 'report', id, signInAt: at }).then((result) => setCopied(result.ok))
            }
            onBlur={() => setCopied(false)}
          >
            {copied ? words.diagnosis.reportCopied : words.diagnosis.copyReport}
          </Button>
        </span>
      </div>
      <div className="diagnosis">
        <SequenceDiagram entries={entries} chosen={current?.number} onChoose={setChosen} />
        {current ? <TraceDetail entry={current} /> : <p className="faint small">{words.diagnosis.choose}</p>}
      </div>
    </div>
  );
}

/** One request, redacted so that it is safe to share. */
function TraceDetail({ entry }: { readonly entry: TraceEntry }) {
  const { request, response, status, milliseconds, verdict, code, remedy } = entry;
  return (
    <section className="trace-detail" aria-label={words.diagnosis.details}>
      <header className="stack-tight">
        <h2>
          {entry.number}. {words.diagnosis.purposes[entry.purpose]}
        </h2>
        <p className="address small">
          {entry.method} <HostName>{entry.url}</HostName>
        </p>
        <p className="small soft">
          {[
            status === undefined ? undefined : String(status),
            milliseconds !== undefined && words.diagnosis.milliseconds(milliseconds),
            words.diagnosis.verdicts[verdict],
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className="small soft">
          {words.diagnosis.rule(entry.rule)} <span className="faint">{entry.clause}</span>
        </p>
        {entry.unusableMembers && (
          <p className="small soft">{words.diagnosis.notUsable(entry.unusableMembers.join(', '))}</p>
        )}
      </header>
      {remedy && (
        <Notice tone="stop" title={words.diagnosis.stopped}>
          <p>
            {words.errors.nextStep(remedy)} {code && <span className="mono small">{code}</span>}
          </p>
        </Notice>
      )}
      <Message title={words.diagnosis.request} message={request} />
      {response && <Message title={words.diagnosis.response} message={response} />}
      {entry.certificate && (
        <div className="stack-tight">
          <h3>{words.diagnosis.certificate}</h3>
          <Fields title={words.diagnosis.facts} fields={entry.certificate} />
        </div>
      )}
    </section>
  );
}

function Message({ title, message }: { readonly title: string; readonly message: TraceEntry['request'] }) {
  if (message.headers.length + message.body.length === 0) return null;
  return (
    <div className="stack-tight">
      <h3>{title}</h3>
      <Fields title={words.diagnosis.headers} fields={message.headers} />
      <Fields title={words.diagnosis.body} fields={message.body} />
    </div>
  );
}

function Fields({ title, fields }: { readonly title: string; readonly fields: readonly TraceField[] }) {
  if (fields.length === 0) return null;
  return (
    <table className="trace-fields">
      <caption>{title}</caption>
      <tbody>
        {fields.map(({ name, value }, index) => (
          <tr key={`${name} ${index}`}>
            <th scope="row">{name}</th>
            <td className={/^\[.*\]$/.test(value) ? 'faint' : undefined}>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface SequenceDiagramProps {
  readonly entries: readonly TraceEntry[];
  /** Number of the entry whose details are shown. */
  readonly chosen: number | undefined;
  readonly onChoose: (number: number) => void;
}

/** A lane per participant, time downwards; each request is an arrow there and one back. */
function SequenceDiagram({ entries, chosen, onChoose }: SequenceDiagramProps) {
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

interface SequenceRowProps {
  readonly id: string;
  readonly step: LaneStep;
  readonly lanes: number;
  /** Names of the two ends, for screen readers. */
  readonly from: string;
  readonly to: string;
  readonly selected: boolean;
  readonly onChoose: () => void;
}

function SequenceRow({ id, step, lanes, from, to, selected, onChoose }: SequenceRowProps) {
  const { entry, back } = step;
  const middle = (lane: number): number => ((lane + 0.5) / lanes) * 100;
  const start = middle(step.from);
  const end = middle(step.to);
  const home = middle(back);
  const response = describeResponse(entry);
  return (
    <div
      id={id}
      className={`sequence-row ${entry.verdict}${selected ? ' selected' : ''}`}
      role="option"
      aria-selected={selected}
      onClick={onChoose}
    >
      {/* May be longer than its arrow, since nothing else is on this line. */}
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
        {response}
      </span>
      <span className="hidden">
        , {from} → {to}, {words.diagnosis.verdicts[entry.verdict]}
      </span>
    </div>
  );
}

function describeResponse({ status, code, purpose, verdict, isNeedless }: LaneStep['entry']): string {
  if (status !== undefined) return String(status);
  // Only the browser saw the status code; what counts is that the callback arrived.
  if (purpose === 'authorization' && verdict === 'used') return words.diagnosis.returned;
  // Both MCP protocol revisions are probed at once; one response makes the other unnecessary.
  if (isNeedless) return words.diagnosis.notNeeded;
  return code ?? words.diagnosis.noResponse;
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
