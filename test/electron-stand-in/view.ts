import type * as Electron from 'electron';
import type { StandInBaseWindow } from './base-window.ts';
import { strictEmitter } from './not-emulated.ts';
import type { StandInWebContents } from './web-contents.ts';

/** A part of a window. Its page is a Chromium window placed over the parent window. */
export class StandInView extends strictEmitter('view', ['bounds-changed']) {
  readonly children: StandInView[] = [];
  /** For the stand-in itself. */
  readonly standIn = {
    parent: undefined as StandInView | undefined,
    window: undefined as StandInBaseWindow | undefined,
    /** True once its page is gone. */
    isEnded: (): boolean => false,
    contents: (): StandInWebContents[] => this.children.flatMap((child) => child.standIn.contents()),
    findWindow: (): StandInBaseWindow | undefined => this.standIn.window ?? this.standIn.parent?.standIn.findWindow(),
  };
  #bounds: Electron.Rectangle = { x: 0, y: 0, width: 0, height: 0 };

  addChildView(view: StandInView, index?: number): void {
    if (view.standIn.isEnded()) throw new Error("Can't add a destroyed child view to a parent view");
    view.standIn.parent?.removeChildView(view);
    this.children.splice(index ?? this.children.length, 0, view);
    view.standIn.parent = this;
    const window = this.standIn.findWindow();
    if (window) for (const contents of view.standIn.contents()) window.standInFollow(contents);
  }

  removeChildView(view: StandInView): void {
    const index = this.children.indexOf(view);
    if (index < 0) return;
    this.children.splice(index, 1);
    view.standIn.parent = undefined;
  }

  setBounds(bounds: Electron.Rectangle): void {
    this.#bounds = { ...bounds };
    this.emit('bounds-changed');
  }

  getBounds(): Electron.Rectangle {
    return { ...this.#bounds };
  }

  setBackgroundColor(): void {}
}
