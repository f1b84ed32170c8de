import type { ComponentProps } from 'react';
import './field.css';

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
