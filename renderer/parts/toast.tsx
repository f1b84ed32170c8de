import type { ReactNode, Ref } from 'react';
import './toast.css';

interface ToastProps {
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly ref?: Ref<HTMLDivElement>;
}

/** Something that was done, with what can be done about it. */
export function Toast({ children, actions, ref }: ToastProps) {
  return (
    <div className="toast" ref={ref}>
      <div className="toast-text">{children}</div>
      {actions}
    </div>
  );
}

/** Below the content, which stays where it is. Read out when something comes. */
export function ToastPlace({ children }: { readonly children: ReactNode }) {
  return (
    <div className="toast-place" role="status">
      {children}
    </div>
  );
}
