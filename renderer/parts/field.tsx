import { useId } from 'react';
import type { ReactNode } from 'react';
import { FieldError } from './field-error.tsx';
import './field.css';

/** What ties a control to its label, hint and error for those who cannot see that they stand together. */
export interface FieldControl {
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
