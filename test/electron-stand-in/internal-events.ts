import { EventEmitter } from 'node:events';
import type { StandInBaseWindow } from './base-window.ts';
import type { MenuAct } from './menu-roles.ts';
import type { StandInSession } from './session.ts';
import type { StandInWebContents } from './web-contents.ts';
import type { KeyPress } from './world/is-accelerator.ts';

/** Events between parts that do not import each other. */
export const internalEvents = new EventEmitter<{
  sessionCreated: [StandInSession];
  permissionHandlersSet: [StandInSession];
  contentsCreated: [StandInWebContents];
  /** A web contents event that `app` re-emits with the contents as first argument. */
  contentsEvent: [name: string, event: object, contents: StandInWebContents, values: unknown[]];
  key: [KeyPress, StandInWebContents];
  menuKeys: [readonly string[]];
  menuRole: [MenuAct];
  windowCreated: [StandInBaseWindow];
  windowEvent: [name: 'focus' | 'blur', window: StandInBaseWindow];
  allWindowsClosed: [];
  browserGone: [];
  /** `prefers-color-scheme` for pages; undefined follows the system. */
  colorScheme: ['light' | 'dark' | undefined];
}>();
internalEvents.setMaxListeners(0);
