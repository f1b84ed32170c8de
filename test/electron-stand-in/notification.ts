import type * as Electron from 'electron';
import { createEvent } from './electron-event.ts';
import { strictEmitter } from './not-emulated.ts';

const events = ['action', 'click', 'close', 'failed', 'reply', 'show'];
const shown: StandInNotification[] = [];

/** A notification that is stored but never shown: `Notification.standInShown` contains all of them. */
export class StandInNotification
  extends strictEmitter('notification', events)
  implements Pick<Electron.Notification, 'title' | 'body' | 'silent' | 'actions' | 'show' | 'close'>
{
  static readonly standInShown: readonly StandInNotification[] = shown;
  title: string;
  body: string;
  silent: boolean;
  actions: Electron.NotificationAction[];

  constructor({ title = '', body = '', silent = false, actions = [] }: Electron.NotificationConstructorOptions = {}) {
    super();
    this.title = title;
    this.body = body;
    this.silent = silent;
    this.actions = actions;
  }

  static isSupported(): boolean {
    return true;
  }

  show(): void {
    shown.push(this);
    setImmediate(() => this.emit('show', createEvent()));
  }

  close(): void {
    const index = shown.indexOf(this);
    if (index < 0) return;
    shown.splice(index, 1);
    setImmediate(() => this.emit('close', createEvent()));
  }
}
