import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import './disclosure.css';

interface DisclosureProps {
  readonly label: ReactNode;
  readonly children: ReactNode;
  /** Opens it from outside, e.g. because it contains an error. Only the user closes it. */
  readonly forceOpen?: boolean;
}

export function Disclosure({ label, children, forceOpen = false }: DisclosureProps) {
  const [open, setOpen] = useState(forceOpen);
  const [forced, setForced] = useState(forceOpen);
  if (forced !== forceOpen) {
    setForced(forceOpen);
    if (forceOpen) setOpen(true);
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
