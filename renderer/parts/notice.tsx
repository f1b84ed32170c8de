import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { Component, useEffect, useRef } from 'react';
import type { FocusEvent, ReactNode, Ref, RefObject } from 'react';
import { words } from '../words.ts';
import { Button } from './button.tsx';
import './notice.css';

export const noticeIcons = { plain: Info, ask: TriangleAlert, stop: CircleAlert } as const;

interface NoticeProps {
  readonly tone?: keyof typeof noticeIcons;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Read out at once, for what happened because of what the person just did. */
  readonly urgent?: boolean;
}

export function Notice({ tone = 'plain', title, children, actions, urgent = false }: NoticeProps) {
  const Icon = noticeIcons[tone];
  return (
    <div className={`notice ${tone}`} role={urgent ? 'alert' : undefined}>
      <Icon className="notice-icon" aria-hidden="true" size={17} />
      <div className="notice-text">
        <p className="notice-title">{title}</p>
        {children && <div className="notice-more">{children}</div>}
        {actions && <div className="row notice-actions">{actions}</div>}
      </div>
    </div>
  );
}

/** A step that needs nothing from the person. */
export function Working({ children }: { readonly children: ReactNode }) {
  return (
    <p className="working" role="status">
      <span className="spinner" aria-hidden="true" />
      {children}
    </p>
  );
}

/**
 * Where drawing a page throws, the window stays, and every other page can be chosen. What was thrown is not shown: it
 * may quote a server.
 */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    const again = <Button onClick={() => this.setState({ isBroken: false })}>{words.page.showAgain}</Button>;
    return (
      <div className="page">
        <Notice tone="stop" urgent title={words.page.broken} actions={again} />
      </div>
    );
  }
}

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
