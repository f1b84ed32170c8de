import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { Component, useEffect, useRef } from 'react';
import type { FocusEvent, ReactNode, Ref, RefObject } from 'react';
import { words } from '../words.ts';
import { Button } from './button.tsx';
import './notice.css';

const noticeIcons = { plain: Info, ask: TriangleAlert, stop: CircleAlert } as const;

interface NoticeProps {
  readonly tone?: keyof typeof noticeIcons;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Announced at once, for results of what the user just did. */
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

/** A step that needs nothing from the user. */
export function Working({ children }: { readonly children: ReactNode }) {
  return (
    <p className="working" role="status">
      <span className="spinner" aria-hidden="true" />
      {children}
    </p>
  );
}

/**
 * If a page throws while rendering, the window and all other pages still work. The error is not shown, since it may
 * quote a server.
 */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    const again = <Button onClick={() => this.setState({ isBroken: false })}>{words.page.reload}</Button>;
    return (
      <div className="page">
        <Notice tone="stop" urgent title={words.page.broken} actions={again} />
      </div>
    );
  }
}

/** Used when there is no previous focus to restore. */
const firstFocusable = 'main :is(button, input, select, textarea, [tabindex="0"]):not(:disabled)';

interface ToastProps {
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** `ask`: the user should do something. */
  readonly tone?: 'plain' | 'ask';
  readonly ref?: Ref<HTMLDivElement>;
}

/** A message at the bottom of the window, with actions. */
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

/** Below the content, which stays in place. New toasts are announced. */
export function ToastRegion({ children }: { readonly children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  const focus = useFocusRestore(region);
  return (
    <div className="toast-region" role="status" ref={region} {...focus}>
      {children}
    </div>
  );
}

/** When the focused button disappears, restore the focus to where it was before. */
function useFocusRestore(region: RefObject<HTMLDivElement | null>) {
  const focused = useRef<Element>(null);
  const previousFocus = useRef<Element>(null);
  useEffect(() => {
    const restoreFocus = (): void => {
      if (!focused.current || focused.current.isConnected) return;
      focused.current = null;
      if (document.activeElement !== document.body) return;
      const before =
        previousFocus.current?.isConnected === true ? previousFocus.current : document.querySelector(firstFocusable);
      if (before instanceof HTMLElement) before.focus();
    };
    const observer = new MutationObserver(restoreFocus);
    if (region.current) observer.observe(region.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [region]);
  return {
    onFocus: ({ target, relatedTarget, currentTarget }: FocusEvent): void => {
      focused.current = target;
      if (!currentTarget.contains(relatedTarget)) previousFocus.current = relatedTarget;
    },
    onBlur: ({ target }: FocusEvent): void => {
      // Removal is not a blur.
      if (target.isConnected) focused.current = null;
    },
  };
}
