import { Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { Working } from '../parts/working.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { formatWhole } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { SequenceDiagram } from './sequence-diagram.tsx';
import { TraceDetail } from './trace-detail.tsx';
import './diagnosis.css';

interface TracePartProps {
  /** Of a connection or an integration. */
  readonly id: string;
  /** On the page of an integration: lets a trace be made by signing in. */
  readonly integration?: IntegrationView;
}

/** The last sign-ins as they went, request by request, with what was sent and answered; nothing secret is in it. */
export function TracePart({ id, integration }: TracePartProps) {
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
            options={signIns.map((each, index) => ({ value: String(index), label: formatWhole(each.at) }))}
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
              void postern.app.copy({ kind: 'report', id, signInAt: at }).then((result) => setCopied(result.ok))
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
