import type { ReactNode } from 'react';
import './toast.css';

/** Something that was done, said below the content, which stays where it is. Read out when it comes. */
export function Toast({ children, actions }: { readonly children?: ReactNode; readonly actions?: ReactNode }) {
  return (
    <div className="toast-place" role="status">
      {children && (
        <div className="toast">
          <div className="toast-text">{children}</div>
          {actions}
        </div>
      )}
    </div>
  );
}
