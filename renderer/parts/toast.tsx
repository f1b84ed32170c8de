import type { ReactNode, Ref } from 'react';
import { noticeIcons } from './notice.tsx';
import './toast.css';

interface ToastProps {
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** `ask`: something is wanted of the person. */
  readonly tone?: 'plain' | 'ask';
  readonly ref?: Ref<HTMLDivElement>;
}

/** Something that was done or is so, with what can be done about it. */
export function Toast({ children, actions, tone = 'plain', ref }: ToastProps) {
  const Icon = noticeIcons[tone];
  return (
    <div className={`toast ${tone}`} ref={ref}>
      {tone === 'ask' && <Icon className="toast-icon" aria-hidden="true" size={17} />}
      <div className="toast-text">{children}</div>
      {actions && <div className="row toast-actions">{actions}</div>}
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
