import { useId } from 'react';
import type { ReactNode } from 'react';

/** One of the numbered things to do; the style sheet counts. */
export function CredentialStep({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <div className="credential-step" role="group" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </div>
  );
}
