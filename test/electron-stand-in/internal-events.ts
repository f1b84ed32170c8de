import { EventEmitter } from 'node:events';
import type { StandInBaseWindow } from './base-window.ts';
import type { MenuAct } from './menu-roles.ts';
import type { StandInSession } from './session.ts';
import type { StandInWebContents } from './web-contents.ts';
import type { KeyPress } from './world/is-accelerator.ts';

/** What the parts tell each other without importing each other. */
export const internalEvents = new EventEmitter<{
  sessionCreated: [StandInSession];
  permissionHandlersSet: [StandInSession];
  contentsCreated: [StandInWebContents];
  /** An event of web contents that `app` repeats with the contents in front. */
  contentsEvent: [name: string, event: object, contents: StandInWebContents, values: unknown[]];
  key: [KeyPress, StandInWebContents];
  menuKeys: [readonly string[]];
  menuRole: [MenuAct];
  windowCreated: [StandInBaseWindow];
  windowEvent: [name: 'focus' | 'blur', window: StandInBaseWindow];
  allWindowsClosed: [];
  browserGone: [];
  /** `prefers-color-scheme`, as pages are to see it; undefined: as the system says. */
  colorScheme: ['light' | 'dark' | undefined];
}>();
internalEvents.setMaxListeners(0);
