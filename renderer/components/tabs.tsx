import { useId } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import './tabs.css';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly value: Name;
  readonly onChange: (name: Name) => void;
  readonly tabs: readonly Tab<Name>[];
}

interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** Shown as a dot and announced: something on this tab needs the user. */
  readonly mark?: string | undefined;
  readonly content: () => ReactNode;
}

/** Tabs with automatic activation (WAI-ARIA APG). */
export function Tabs<Name extends string>({ label, value, onChange, tabs }: TabsProps<Name>) {
  const id = useId();
  const goTo = (event: KeyboardEvent<HTMLElement>): void => {
    const at = tabs.findIndex(({ name }) => name === value);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const next = target === undefined ? undefined : tabs.at(target % tabs.length);
    if (!next || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onChange(next.name);
    document.getElementById(`${id}${next.name}`)?.focus();
  };
  return (
    <div className="tabs">
      <div className="tab-strip">
        <div className="tab-list" role="tablist" aria-label={label}>
          {tabs.map((tab) => (
            <button
              type="button"
              role="tab"
              className="tab"
              key={tab.name}
              id={`${id}${tab.name}`}
              aria-selected={tab.name === value}
              aria-controls={`${id}panel`}
              tabIndex={tab.name === value ? 0 : -1}
              onClick={() => onChange(tab.name)}
              onKeyDown={goTo}
            >
              {tab.label}
              {tab.mark !== undefined && (
                <span className="tab-mark" title={tab.mark}>
                  <span className="hidden">{tab.mark}</span>
                </span>
              )}
            </button>
          ))}
        </div>
      </div>
      <div
        className="tab-panel"
        role="tabpanel"
        id={`${id}panel`}
        key={value}
        aria-labelledby={`${id}${value}`}
        tabIndex={0}
      >
        {tabs.find(({ name }) => name === value)?.content()}
      </div>
    </div>
  );
}
