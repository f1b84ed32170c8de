import { formatCountdown, useNow } from '../moments.ts';
import { words } from '../words.ts';

/** What is left of the ten minutes of a state (spec 2.7), running down as a ring. */
const whole = 10 * 60_000;
const radius = 15;
const girth = 2 * Math.PI * radius;

export function TimeLeft({ expiresAt }: { readonly expiresAt: number }) {
  const left = Math.max(0, expiresAt - useNow(1_000));
  const time = formatCountdown(left);
  return (
    <div
      className={`time-left${left < 60_000 ? ' short' : ''}`}
      role="timer"
      aria-label={words.signIn.timeLeftLabel(time)}
    >
      <svg viewBox="0 0 36 36" width="36" height="36" aria-hidden="true">
        <circle className="time-track" cx="18" cy="18" r={radius} />
        <circle
          className="time-rest"
          cx="18"
          cy="18"
          r={radius}
          strokeDasharray={girth}
          strokeDashoffset={girth * (1 - Math.min(1, left / whole))}
          transform="rotate(-90 18 18)"
        />
      </svg>
      <span className="time-value" aria-hidden="true">
        {time}
        <span className="faint"> {words.signIn.timeLeft}</span>
      </span>
    </div>
  );
}
