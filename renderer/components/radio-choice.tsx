import { useId } from 'react';
import './check-box.css';
import './radio-choice.css';

interface RadioChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[];
  readonly onChoose: (value: Value) => void;
}

/** Radio buttons, for a few options that should all be visible. */
export function RadioChoice<Value extends string>({ label, value, options, onChoose }: RadioChoiceProps<Value>) {
  const id = useId();
  return (
    <div className="radios" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <div className="check" key={option.value}>
          <input
            type="radio"
            className="radio"
            id={`${id}-${option.value}`}
            name={id}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
            aria-describedby={option.hint ? `${id}-${option.value}-hint` : undefined}
          />
          <label htmlFor={`${id}-${option.value}`}>{option.label}</label>
          {option.hint && (
            <p className="check-hint" id={`${id}-${option.value}-hint`}>
              {option.hint}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
