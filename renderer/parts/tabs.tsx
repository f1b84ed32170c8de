import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import './tabs.css';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly value: Name;
  readonly onChange: (name: Name) => void;
  readonly tabs: readonly { readonly name: Name; readonly label: string; readonly content: () => ReactNode }[];
}

export function Tabs<Name extends string>({ label, value, onChange, tabs }: TabsProps<Name>) {
  return (
    <Primitive.Root className="tabs" value={value} onValueChange={(next) => onChange(next as Name)}>
      <Primitive.List className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Primitive.Trigger className="tab" key={tab.name} value={tab.name}>
            {tab.label}
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
