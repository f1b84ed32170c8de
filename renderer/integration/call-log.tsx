import { words } from '../words.ts';
import type { LogLine } from './trials.ts';
import './call-log.css';

/** What a server writes into its log while a tool runs. */
export function CallLog({ lines }: { readonly lines: readonly LogLine[] }) {
  return (
    <div className="call-log" role="log" aria-label={words.tools.log} {...{ tabIndex: 0 }}>
      {lines.map(({ level, text }, index) => (
        <p key={index}>
          <span className="faint">{level}</span> {text}
        </p>
      ))}
    </div>
  );
}
