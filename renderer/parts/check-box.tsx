import { Check, Minus } from 'lucide-react';
import { Checkbox } from 'radix-ui';
import { useId } from 'react';
import type { ReactNode } from 'react';
import './field.css';

interface CheckBoxProps {
  /** `some`: of what it stands for some is, and some is not. */
  readonly checked: boolean | 'some';
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly disabled?: boolean;
}

export function CheckBox({ checked, onChange, label, hint, disabled = false }: CheckBoxProps) {
  const id = useId();
  const Mark = checked === 'some' ? Minus : Check;
  return (
    <div className="check">
      <Checkbox.Root
        id={id}
        className="check-box"
        checked={checked === 'some' ? 'indeterminate' : checked}
        disabled={disabled}
        onCheckedChange={(value) => onChange(value === true)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      >
        <Checkbox.Indicator asChild>
          <Mark aria-hidden="true" size={13} strokeWidth={3} />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="check-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
