import type { IntegrationView } from '../../shared/integration-view.ts';
import { formatDistance, formatMoment, useNow } from '../moments.ts';
import { words } from '../words.ts';
import { placeTimePoints } from './time-line-points.ts';
import type { TimePoint } from './time-line-points.ts';
import './token-time-line.css';

/** From the sign-in over now to the end of the access: drawn, and said in words for those who cannot see it. */
export function TokenTimeLine({ integration }: { readonly integration: IntegrationView }) {
  const now = useNow(10_000);
  const line = placeTimePoints(integration, now);
  if (line.points.length < 2) return null;
  const label = line.points
    .map(({ name, at }) => `${words.account.timeLine[name]} ${formatMoment(at, now)}, ${formatDistance(at, now)}`)
    .join('; ');
  return (
    <figure className="time-line">
      <figcaption className="hidden">{words.account.timeLine.title}</figcaption>
      <svg role="img" aria-label={words.account.timeLine.label(label)} width="100%" height="84">
        <line className="line-future" x1={`${line.now}%`} x2="100%" y1="34" y2="34" />
        <line className="line-past" x1="0%" x2={`${line.now}%`} y1="34" y2="34" />
        <text className="line-now-word" x={`${line.now}%`} y="12" textAnchor={anchorOf(line.now)}>
          {words.account.timeLine.now}
        </text>
        <line className="line-now" x1={`${line.now}%`} x2={`${line.now}%`} y1="18" y2="42" />
        {line.points.map((point) => (
          <Point key={point.name} point={point} now={now} />
        ))}
      </svg>
    </figure>
  );
}

function Point({ point: { name, at, x }, now }: { readonly point: TimePoint; readonly now: number }) {
  const anchor = anchorOf(x);
  // The first and the last circle are drawn whole.
  const shift = anchor === 'start' ? 6 : anchor === 'end' ? -6 : 0;
  return (
    <>
      <circle
        className={`line-point ${name}${at <= now ? ' past' : ''}`}
        cx={`${x}%`}
        cy="34"
        r="5"
        transform={`translate(${shift} 0)`}
      />
      <text className="line-word" x={`${x}%`} y="60" textAnchor={anchor}>
        {words.account.timeLine[name]}
      </text>
      <text className="line-when" x={`${x}%`} y="77" textAnchor={anchor}>
        {formatDistance(at, now)}
      </text>
    </>
  );
}

function anchorOf(x: number): 'start' | 'middle' | 'end' {
  if (x < 4) return 'start';
  return x > 96 ? 'end' : 'middle';
}
