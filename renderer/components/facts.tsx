import { Fragment } from 'react';
import type { ReactNode } from 'react';
import './facts.css';

interface Fact {
  readonly term: string;
  readonly value: ReactNode;
}

/** Terms and values in two columns; `undefined` and `false` entries are skipped. */
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

/** A host or address that wraps after its dots and slashes, where a line break misleads nobody. */
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

/** Host and port of an address, in punycode as WHATWG serializes it; `fallback` if it is not an address. */
export function hostOfAddress(address: string | undefined, fallback: string): string {
  return URL.parse(address ?? '')?.host || fallback;
}

interface LinesProps {
  readonly label: string;
  readonly sign: string;
  readonly kind: string;
  readonly lines: readonly string[];
}

/** Lines of a file or a terminal, each with a sign for what happens to it. */
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
