import { ChevronDown, CircleAlert } from 'lucide-react';
import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import './field.css';
import './field.css';
import './field.css';
import './field.css';

/** What ties a control to its label, hint and error for those who cannot see that they stand together. */
interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

interface FieldProps {
  /** Where something else leads the focus to it. */
  readonly id?: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** The id of an error that this field shares with others. */
  readonly wrongBy?: string | undefined;
  /** Beside the label, e.g. "optional". */
  readonly aside?: ReactNode;
  readonly children: (control: FieldControl) => ReactNode;
}

export function Field({ id: given, label, hint, error, wrongBy, aside, children }: FieldProps) {
  const own = useId();
  const id = given ?? own;
  const isWrong = Boolean(error ?? wrongBy);
  const described = [wrongBy, error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={`field${isWrong ? ' wrong' : ''}`}>
      <div className="field-label">
        <label htmlFor={id}>{label}</label>
        {aside && <span className="faint small">{aside}</span>}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': isWrong || undefined })}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** What is wrong, at the field or the fields that it is about; `id` ties it to them. */
export function FieldError({ id, children }: { readonly id?: string; readonly children: string }) {
  return (
    <p className="field-error" id={id} role="alert">
      <CircleAlert aria-hidden="true" size={14} />
      {children}
    </p>
  );
}

interface TextInputProps extends ComponentProps<'input'> {
  /** Addresses, ids and scopes are read letter by letter. */
  readonly mono?: boolean;
}

export function TextInput({ mono = false, className, ...rest }: TextInputProps) {
  return (
    <input
      type="text"
      autoComplete="off"
      autoCorrect="off"
      autoCapitalize="off"
      spellCheck={false}
      {...rest}
      className={`input${mono ? ' mono' : ''}${className ? ` ${className}` : ''}`}
    />
  );
}

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
