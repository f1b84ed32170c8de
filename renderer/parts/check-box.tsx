import { Check } from 'lucide-react';
import { Checkbox } from 'radix-ui';
import { useId } from 'react';
import type { ReactNode } from 'react';
import './field.css';

interface CheckBoxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly disabled?: boolean;
}

export function CheckBox({ checked, onChange, label, hint, disabled = false }: CheckBoxProps) {
  const id = useId();
  return (
    <div className="check">
      <Checkbox.Root
        id={id}
        className="check-box"
        checked={checked}
        disabled={disabled}
        onCheckedChange={(value) => onChange(value === true)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      >
        <Checkbox.Indicator asChild>
          <Check aria-hidden="true" size={13} strokeWidth={3} />
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
