import { Check, Plus, X } from 'lucide-react';
import { words } from '../words.ts';
import './chips.css';

/** Read-only scopes. */
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
  /** All scopes that can be chosen, including those already chosen. */
  readonly available: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Selectable scopes: each is a toggle, so deselected ones stay visible. */
export function ScopeChips({ label, available, chosen, onChange }: ScopeChipsProps) {
  const own = chosen.filter((scope) => !available.includes(scope));
  return (
    <div className="chips" role="group" aria-label={label}>
      {[...available, ...own].map((scope) => {
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
