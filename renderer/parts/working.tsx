import type { ReactNode } from 'react';
import './working.css';

/** A step that needs nothing from the person. */
export function Working({ children }: { readonly children: ReactNode }) {
  return (
    <p className="working" role="status">
      <span className="spinner" aria-hidden="true" />
      {children}
    </p>
  );
}
