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
