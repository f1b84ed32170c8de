import { useEffect, useId, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent } from 'react';
import { TextInput } from './field.tsx';
import './suggested-input.css';

interface SuggestedInputProps extends Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What may stand there, by what stands there now. Never rejects. */
  readonly suggest: (value: string) => Promise<readonly string[]>;
  /** Says what the list is. */
  readonly listLabel: string;
}

/** Milliseconds without a key before anybody is asked. */
const rest = 150;

/** A field that takes any text, and offers some. */
export function SuggestedInput({ value, onChange, suggest, listLabel, ...input }: SuggestedInputProps) {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [found, setFound] = useState<readonly string[]>([]);
  const [current, setCurrent] = useState(-1);
  const asked = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const close = (): void => {
    clearTimeout(timer.current);
    asked.current += 1;
    setFound([]);
    setCurrent(-1);
  };
  useEffect(() => close, []);
  const ask = (text: string): void => {
    clearTimeout(timer.current);
    const own = (asked.current += 1);
    timer.current = setTimeout(() => {
      void suggest(text).then((values) => {
        if (own !== asked.current) return;
        setFound(values.filter((one) => one !== text));
        setCurrent(-1);
      });
    }, rest);
  };
  const take = (text: string | undefined): void => {
    if (text !== undefined) onChange(text);
    close();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (found.length === 0) return ask(value);
      // One place more than there are values: none of them.
      return setCurrent(((current + 1 + step + found.length + 1) % (found.length + 1)) - 1);
    }
    if (found.length === 0) return;
    if (event.key === 'Escape' || (event.key === 'Enter' && current >= 0)) {
      event.preventDefault();
      event.stopPropagation();
      take(event.key === 'Enter' ? found[current] : undefined);
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
        onFocus={() => ask(value)}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          onChange(event.target.value);
          ask(event.target.value);
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
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(one)}
          >
            {one}
          </li>
        ))}
      </ul>
    </div>
  );
}
