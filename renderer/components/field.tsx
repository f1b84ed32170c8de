import { ChevronDown, CircleAlert } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import './field.css';

/** Ties a control to its label, hint and error for assistive technology. */
interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

interface FieldProps {
  /** Set if something else moves the focus here. */
  readonly id?: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** ID of an error that this field shares with others. */
  readonly errorId?: string | undefined;
  /** Shown next to the label, e.g. "optional". */
  readonly aside?: ReactNode;
  readonly children: (control: FieldControl) => ReactNode;
}

export function Field({ id: givenId, label, hint, error, errorId, aside, children }: FieldProps) {
  const own = useId();
  const id = givenId ?? own;
  const isWrong = Boolean(error ?? errorId);
  const described = [errorId, error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
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

/** An error next to the fields it is about; `id` ties it to them. */
export function FieldError({ id, children }: { readonly id?: string; readonly children: string }) {
  return (
    <p className="field-error" id={id} role="alert">
      <CircleAlert aria-hidden="true" size={14} />
      {children}
    </p>
  );
}

interface TextInputProps extends ComponentProps<'input'> {
  /** For addresses, IDs and scopes, which are read letter by letter. */
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

/** A native select: its keyboard handling and screen reader support are familiar. */
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

interface SuggestedInputProps extends Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Suggestions for the current value. Never rejects. */
  readonly suggest: (value: string) => Promise<readonly string[]>;
  /** Accessible name of the list. */
  readonly listLabel: string;
}

/** Milliseconds without a keystroke before suggestions are requested. */
const suggestDelay = 150;

/** Free text with suggestions. */
export function SuggestedInput({ value, onChange, suggest, listLabel, ...input }: SuggestedInputProps) {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [found, setFound] = useState<readonly string[]>([]);
  const [current, setCurrent] = useState(-1);
  const latest = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const close = (): void => {
    clearTimeout(timer.current);
    latest.current += 1;
    setFound([]);
    setCurrent(-1);
  };
  useEffect(() => close, []);
  const requestSuggestions = (text: string): void => {
    clearTimeout(timer.current);
    const own = (latest.current += 1);
    timer.current = setTimeout(() => {
      void suggest(text).then((values) => {
        if (own !== latest.current) return;
        setFound(values.filter((one) => one !== text));
        setCurrent(-1);
      });
    }, suggestDelay);
  };
  const accept = (text: string | undefined): void => {
    if (text !== undefined) onChange(text);
    close();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (found.length === 0) return requestSuggestions(value);
      // One more position than there are values: no selection.
      return setCurrent(((current + 1 + step + found.length + 1) % (found.length + 1)) - 1);
    }
    if (found.length === 0) return;
    if (event.key === 'Escape' || (event.key === 'Enter' && current >= 0)) {
      event.preventDefault();
      event.stopPropagation();
      accept(event.key === 'Enter' ? found[current] : undefined);
    }
  };
  return (
    <div className="suggested">
      <TextInput
        {...input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-activedescendant={current >= 0 ? `${listId}-${current}` : undefined}
        value={value}
        onFocus={() => requestSuggestions(value)}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          onChange(event.target.value);
          requestSuggestions(event.target.value);
        }}
      />
      <ul
        ref={list}
        id={listId}
        className="suggestions"
        role="listbox"
        aria-label={listLabel}
        hidden={found.length === 0}
      >
        {found.map((one, index) => (
          <li
            key={one}
            id={`${listId}-${index}`}
            className="suggestion"
            role="option"
            aria-selected={index === current}
            // Keep the focus in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => accept(one)}
          >
            {one}
          </li>
        ))}
      </ul>
    </div>
  );
}
