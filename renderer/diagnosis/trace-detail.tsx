import type { TraceEntry, TraceField } from '../../shared/trace.ts';
import { HostName } from '../parts/host-name.tsx';
import { Notice } from '../parts/notice.tsx';
import { words } from '../words.ts';

/** One request as it may be shown to anybody. */
export function TraceDetail({ entry }: { readonly entry: TraceEntry }) {
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
