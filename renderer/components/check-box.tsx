// Check boxes and switches.

import { Check, Minus } from 'lucide-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import './check-box.css';

interface CheckBoxProps {
  /** `some`: a mixed state. */
  readonly checked: boolean | 'some';
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly disabled?: boolean;
  /** `switch` takes effect at once; a check box waits for a button. */
  readonly role?: 'checkbox' | 'switch';
}

export function CheckBox({ checked, onChange, label, hint, disabled = false, role = 'checkbox' }: CheckBoxProps) {
  const id = useId();
  const Mark = checked === 'some' ? Minus : Check;
  return (
    <div className={`check ${role}`}>
      <button
        type="button"
        role={role}
        id={id}
        className="check-box"
        aria-checked={checked === 'some' ? 'mixed' : checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        disabled={disabled}
        onClick={() => onChange(checked !== true)}
        // Only Space toggles it, as in the ARIA patterns; Enter is for the button that follows.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      >
        {role === 'checkbox' && checked !== false && <Mark aria-hidden="true" size={13} strokeWidth={3} />}
      </button>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="check-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
