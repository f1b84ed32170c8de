import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import './disclosure.css';

interface DisclosureProps {
  readonly label: ReactNode;
  readonly children: ReactNode;
  /** Opens it from outside, e.g. because it contains an error; a new object opens it again. Only the user closes it. */
  readonly forceOpen?: boolean | object;
}

export function Disclosure({ label, children, forceOpen = false }: DisclosureProps) {
  const [open, setOpen] = useState(forceOpen !== false);
  const [forced, setForced] = useState(forceOpen);
  if (forced !== forceOpen) {
    setForced(forceOpen);
    if (forceOpen !== false) setOpen(true);
  }
  return (
    <details className="disclosure" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight aria-hidden="true" size={14} />
        {label}
      </summary>
      {open && <div className="disclosure-body">{children}</div>}
    </details>
  );
}
