import './lines.css';

interface LinesProps {
  readonly label: string;
  readonly sign: string;
  readonly kind: string;
  readonly lines: readonly string[];
}

/** Lines of a file or of a terminal, with the sign of what becomes of them. */
export function Lines({ label, sign, kind, lines }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <ul className={`preview-lines mono ${kind}`} aria-label={label}>
      {lines.map((line, index) => (
        <li key={index}>
          <span className="preview-sign" aria-hidden="true">
            {sign}
          </span>
          <span className="preview-text">{line}</span>
        </li>
      ))}
    </ul>
  );
}
