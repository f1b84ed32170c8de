import { useEffect, useRef } from 'react';
import type { FocusEvent, ReactNode, Ref, RefObject } from 'react';
import { noticeIcons } from './notice.tsx';
import './toast.css';

/** For a focus that has nowhere to go back to. */
const firstOfPage = 'main :is(button, input, select, textarea, [tabindex="0"]):not(:disabled)';

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
  const place = useRef<HTMLDivElement>(null);
  const focus = useFocusBack(place);
  return (
    <div className="toast-place" role="status" ref={place} {...focus}>
      {children}
    </div>
  );
}

/** Where the button goes that has the focus, the focus goes back to where it was before it came here. */
function useFocusBack(place: RefObject<HTMLDivElement | null>) {
  const focused = useRef<Element>(null);
  const cameFrom = useRef<Element>(null);
  useEffect(() => {
    const giveBack = (): void => {
      if (!focused.current || focused.current.isConnected) return;
      focused.current = null;
      if (document.activeElement !== document.body) return;
      const before = cameFrom.current?.isConnected === true ? cameFrom.current : document.querySelector(firstOfPage);
      if (before instanceof HTMLElement) before.focus();
    };
    const observer = new MutationObserver(giveBack);
    if (place.current) observer.observe(place.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [place]);
  return {
    onFocus: ({ target, relatedTarget, currentTarget }: FocusEvent): void => {
      focused.current = target;
      if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
    },
    onBlur: ({ target }: FocusEvent): void => {
      // What was taken away has not been left.
      if (target.isConnected) focused.current = null;
    },
  };
}
