import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import './field.css';

interface ChoiceProps<Value extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
}

/** The system's own list: its keyboard, its search and its reading aloud are the ones that people know. */
export function Choice<Value extends string>({ value, options, onChoose, ...rest }: ChoiceProps<Value>) {
  return (
    <span className="choice">
      <select {...rest} className="input" value={value} onChange={(event) => onChoose(event.target.value as Value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden="true" size={15} />
    </span>
  );
}
