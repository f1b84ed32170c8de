import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { Component } from 'react';
import type { ReactNode } from 'react';
import { words } from '../words.ts';
import { Button } from './button.tsx';
import './notice.css';
import './working.css';

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
