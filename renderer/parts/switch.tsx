import { useId } from 'react';
import type { ReactNode } from 'react';
import './switch.css';

interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

/** Acts by itself, where a check box waits for a button. */
export function Switch({ checked, onChange, label, hint }: SwitchProps) {
  const id = useId();
  return (
    <div className="check switch-line">
      <button
        type="button"
        role="switch"
        id={id}
        className="switch"
        aria-checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onClick={() => onChange(!checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="check-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
