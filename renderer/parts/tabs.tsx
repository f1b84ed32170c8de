import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
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
  /** Drawn as a dot and read out: something on this tab waits for the person. */
  readonly mark?: string | undefined;
  readonly content: () => ReactNode;
}

export function Tabs<Name extends string>({ label, value, onChange, tabs }: TabsProps<Name>) {
  return (
    <Primitive.Root className="tabs" value={value} onValueChange={(next) => onChange(next as Name)}>
      <Primitive.List className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Primitive.Trigger className="tab" key={tab.name} value={tab.name}>
            {tab.label}
            {tab.mark !== undefined && (
              <span className="tab-mark" title={tab.mark}>
                <span className="hidden">{tab.mark}</span>
              </span>
            )}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content className="tab-panel" key={tab.name} value={tab.name}>
          {tab.content()}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
