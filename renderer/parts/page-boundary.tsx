import { Component } from 'react';
import type { ReactNode } from 'react';
import { words } from '../words.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

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
