import { Pin } from 'lucide-react';
import { memo } from 'react';
import type { MouseEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { useLanguage } from '../language.ts';
import type { MenuPlace } from '../parts/menu.tsx';
import { placeOfAddress } from '../parts/place-of-address.ts';
import { words } from '../words.ts';
import { accountOf } from './account-of.ts';
import { describeStatus } from './describe-status.ts';
import { RowMore } from './row-more.tsx';
import { ServerIcon } from './server-icon.tsx';
import { StatusMark } from './status-mark.tsx';

interface IntegrationRowProps {
  readonly id: string;
  readonly integration: IntegrationView;
  readonly isPinned: boolean;
  readonly selected: boolean;
  /** Its page is open. */
  readonly isShown: boolean;
  /** The keyboard is here. */
  readonly isActive: boolean;
  /** In a tree. */
  readonly level: 1 | 2 | undefined;
  /** From 1. */
  readonly position: number;
  readonly count: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly onPress: (integration: IntegrationView, event: MouseEvent) => void;
  readonly onMenu: (integration: IntegrationView, at: MenuPlace) => void;
}

/** Quiet when all is well: only what is not ready says so in words. */
export const IntegrationRow = memo(function IntegrationRow(props: IntegrationRowProps) {
  // Its words change without a change of what it is given.
  useLanguage();
  const { integration, selected, isShown, isActive, level, position, count, top, onPress, onMenu } = props;
  const states = [selected && 'selected', isShown && 'shown', isActive && 'active', level === 2 && 'inside'];
  const { status, busy } = integration;
  const label = busy === undefined ? describeStatus(integration) : words.busy[busy];
  const isQuiet = busy === undefined && status.name === 'ready';
  const tone = isQuiet ? 'address' : (busy ?? status.name);
  return (
    <div
      id={props.id}
      className={['integration-row', ...states.filter(Boolean)].join(' ')}
      role={level === undefined ? 'option' : 'treeitem'}
      aria-level={level}
      title={integration.name}
      aria-selected={selected}
      aria-posinset={position}
      aria-setsize={count}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onPress(integration, event)}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(integration, { x: event.clientX, y: event.clientY });
      }}
    >
      <span className="integration-tile">
        <ServerIcon integration={integration} size="small" />
        <StatusMark status={busy === undefined ? status.name : 'busy'} />
      </span>
      <span className="integration-name">
        {integration.name}
        {props.isPinned && <Pin className="integration-pin" size={12} aria-hidden="true" />}
        {props.isPinned && <span className="hidden">, {words.arrange.pinned}</span>}
      </span>
      <span className={`integration-line ${tone}`}>
        {isQuiet ? (accountOf(integration) ?? placeOfAddress(integration.url, integration.host)) : label}
      </span>
      {isQuiet && <span className="hidden">, {label}</span>}
      <RowMore onMenu={(at) => onMenu(integration, at)} />
    </div>
  );
});
