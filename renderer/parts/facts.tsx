import { Fragment } from 'react';
import type { ReactNode } from 'react';
import './facts.css';

export interface Fact {
  readonly term: string;
  readonly value: ReactNode;
}

/** Name and value in two columns; `undefined` entries are left out. */
export function Facts({ facts }: { readonly facts: readonly (Fact | undefined | false)[] }) {
  return (
    <dl className="facts">
      {facts.map(
        (fact) =>
          fact && (
            <div className="fact" key={fact.term}>
              <dt>{fact.term}</dt>
              <dd>{fact.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A host or an address that breaks after its dots and slashes, where reading it in two lines misleads nobody. */
export function HostName({ children }: { readonly children: string }) {
  return (
    <>
      {children.split(/(?<=[./?&])(?=[^./?&])/).map((part, index) => (
        <Fragment key={`${part} ${index}`}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}

/** The host of an address with its port, in punycode as WHATWG prints it; `otherwise` where it is no address. */
export function placeOfAddress(address: string | undefined, otherwise: string): string {
  return URL.parse(address ?? '')?.host || otherwise;
}

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
