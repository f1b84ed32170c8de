import { CircleAlert } from 'lucide-react';
import './field.css';

/** What is wrong, at the field or the fields that it is about; `id` ties it to them. */
export function FieldError({ id, children }: { readonly id?: string; readonly children: string }) {
  return (
    <p className="field-error" id={id} role="alert">
      <CircleAlert aria-hidden="true" size={14} />
      {children}
    </p>
  );
}
