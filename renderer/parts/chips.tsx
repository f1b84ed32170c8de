import { Check, Plus, X } from 'lucide-react';
import { words } from '../words.ts';
import './chips.css';

/** Scopes as they are, to read. */
export function Chips({
  items,
  missing = [],
}: {
  readonly items: readonly string[];
  readonly missing?: readonly string[];
}) {
  return (
    <ul className="chips">
      {items.map((item) => (
        <li className="chip" key={item}>
          {item}
        </li>
      ))}
      {missing.map((item) => (
        <li className="chip missing" key={item}>
          {item}
          <span className="hidden"> ({words.scopes.missing})</span>
        </li>
      ))}
    </ul>
  );
}

interface ScopeChipsProps {
  readonly label: string;
  /** Everything that can be chosen, chosen ones included. */
  readonly offered: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Scopes to choose: each is a switch, so that what is left out stays in sight. */
export function ScopeChips({ label, offered, chosen, onChange }: ScopeChipsProps) {
  const own = chosen.filter((scope) => !offered.includes(scope));
  return (
    <div className="chips" role="group" aria-label={label}>
      {[...offered, ...own].map((scope) => {
        const on = chosen.includes(scope);
        const Icon = on ? (own.includes(scope) ? X : Check) : Plus;
        return (
          <button
            type="button"
            key={scope}
            className={`chip choosable${on ? ' on' : ''}`}
            aria-pressed={on}
            onClick={() => onChange(on ? chosen.filter((other) => other !== scope) : [...chosen, scope])}
          >
            <Icon aria-hidden="true" size={12} />
            {scope}
          </button>
        );
      })}
    </div>
  );
}
