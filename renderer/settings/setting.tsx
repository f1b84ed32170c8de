import type { ReactNode } from 'react';

interface SettingProps {
  readonly name: string;
  readonly children: ReactNode;
  /** The value is text, not a control: it begins at the same height as the name. */
  readonly flush?: boolean;
}

/** One line of the settings: its name, and what it is set to. */
export function Setting({ name, children, flush = false }: SettingProps) {
  return (
    <div className="setting">
      <div className={`setting-name${flush ? ' flush' : ''}`}>{name}</div>
      <div className="setting-value">{children}</div>
    </div>
  );
}
