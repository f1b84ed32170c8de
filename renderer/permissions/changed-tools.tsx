import { useEffect } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { ChangedPiece, ToolChange } from '../../shared/tool-change.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import './changed-tools.css';

interface ChangedToolsProps {
  readonly integration: IntegrationView;
  /** What the server lists, which tells what has changed too. */
  readonly listed: unknown;
}

/** What tools say otherwise than when the person looked at them last, word by word; nothing where that is nothing. */
export function ChangedTools({ integration: { id, toolReview }, listed }: ChangedToolsProps) {
  const reading = useCall<{ readonly changed: readonly ToolChange[]; readonly more: number }>();
  const accepting = useCall<null>();
  const { run } = reading;
  const { reviewedAt, changedAt } = toolReview ?? {};
  useEffect(() => void run(() => postern.permission.changes({ id })), [run, id, listed, reviewedAt, changedAt]);
  const { permits } = words;
  const { changed = [], more = 0 } = reading.value ?? {};
  if (changed.length === 0) return reading.error ? <ErrorNotice error={reading.error} /> : null;
  const accept = (seen: readonly ToolChange[]): void =>
    void accepting.run(() => postern.permission.accept({ id, forms: seen.map(({ form }) => form) }));
  return (
    <section className="section" aria-label={permits.changes}>
      <h2>{permits.changes}</h2>
      <p className="soft small">{permits.changesIntro}</p>
      {accepting.error && <ErrorNotice error={accepting.error} actions={{ dismiss: accepting.clear }} />}
      <ul className="changed-tools">
        {changed.map((change) => (
          <li key={change.form} className="changed-tool">
            <div className="changed-tool-head">
              <h3>
                {change.tool} <span className="soft small">{permits.changeKind[change.kind]}</span>
              </h3>
              <Button
                kind="quiet"
                disabled={accepting.busy}
                aria-label={permits.acceptOf(change.tool)}
                onClick={() => accept([change])}
              >
                {permits.accept}
              </Button>
            </div>
            <dl className="changed-places">
              {change.places.map(({ where, words: pieces }) => (
                <div key={JSON.stringify(where)}>
                  <dt className="soft small">{where.join(' › ')}</dt>
                  <dd>{pieces.map(Piece)}</dd>
                </div>
              ))}
            </dl>
            {change.isCut && <p className="soft small">{permits.changeCut}</p>}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="soft small">{permits.moreChanged(more)}</p>}
      {changed.length > 1 && (
        <div>
          <Button disabled={accepting.busy} onClick={() => accept(changed)}>
            {permits.acceptAll(changed.length)}
          </Button>
        </div>
      )}
    </section>
  );
}

function Piece({ kind, text }: ChangedPiece, index: number) {
  if (kind === 'same') return <span key={index}>{text}</span>;
  return kind === 'gone' ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
}
