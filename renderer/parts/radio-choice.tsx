import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import './field.css';

interface RadioChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[];
  readonly onChoose: (value: Value) => void;
}

/** A few alternatives that are worth seeing side by side. */
export function RadioChoice<Value extends string>({ label, value, options, onChoose }: RadioChoiceProps<Value>) {
  const id = useId();
  return (
    <RadioGroup.Root
      className="radios"
      aria-label={label}
      value={value}
      onValueChange={(next) => onChoose(next as Value)}
    >
      {options.map((option) => (
        <div className="check" key={option.value}>
          <RadioGroup.Item
            className="radio"
            id={`${id}-${option.value}`}
            value={option.value}
            aria-describedby={option.hint ? `${id}-${option.value}-hint` : undefined}
          >
            <RadioGroup.Indicator className="radio-dot" />
          </RadioGroup.Item>
          <label htmlFor={`${id}-${option.value}`}>{option.label}</label>
          {option.hint && (
            <p className="check-hint" id={`${id}-${option.value}-hint`}>
              {option.hint}
            </p>
          )}
        </div>
      ))}
    </RadioGroup.Root>
  );
}
