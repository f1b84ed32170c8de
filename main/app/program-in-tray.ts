import { app, dialog } from 'electron';
import type { IpcEvent } from '../../shared/ipc-event.ts';
import { needsPerson } from '../../shared/needs-person.ts';
import type { Settings } from '../../shared/settings.ts';
import { displayText } from '../address/display-text.ts';
import { keepsRunning } from '../desktop/state/keeps-running.ts';
import type { ProgramRecords } from '../gateway-ports.ts';
import type { IntegrationStore } from '../ports.ts';
import { ProgramTray } from '../windows/program-tray.ts';
import type { TrayState } from '../windows/tray-template.ts';
import { windowWords } from '../window-words.ts';
import type { ProgramWindows } from './program-windows.ts';

export interface ProgramInTrayOptions {
  readonly store: Pick<IntegrationStore, 'settings' | 'updateSettings'> & { readonly programs: ProgramRecords };
  readonly windows: ProgramWindows;
  /** It began without a window. */
  readonly isBackground: boolean;
}

/** The program without its window: whether it goes on, and its icon in the tray meanwhile. */
export class ProgramInTray {
  readonly #options: ProgramInTrayOptions;
  #tray: ProgramTray | undefined;
  #isWanted: boolean;
  #state: TrayState = { needing: [], isPaused: false };

  constructor(options: ProgramInTrayOptions) {
    this.#options = options;
    this.#isWanted = options.isBackground;
    this.#show();
  }

  /** Takes what windows are shown. */
  take(event: IpcEvent): void {
    if (event.event !== 'snapshot') return;
    const { app: view, integrations } = event.slices;
    if (view) this.#isWanted = view.settings.keepRunning || this.#options.isBackground;
    this.#state = {
      isPaused: view?.programsPaused ?? this.#state.isPaused,
      needing:
        integrations?.filter(needsPerson).map(({ id, name }) => ({ id, name: displayText(name) })) ??
        this.#state.needing,
    };
    this.#show();
  }

  /** The last window was closed. Never rejects. */
  async closed(): Promise<void> {
    const { store, windows } = this.#options;
    const settings = await store.settings().catch((): Settings => ({}));
    const records = await store.programs.list().catch(() => []);
    // One may have been opened again meanwhile.
    if (windows.current) return;
    if (!keepsRunning(settings, records)) {
      // macOS keeps programs without a window in its Dock.
      if (process.platform !== 'darwin') app.quit();
      return;
    }
    this.#isWanted = true;
    this.#show();
    if (!settings.told?.includes('keeps-running')) await this.#tellOnce();
  }

  async #tellOnce(): Promise<void> {
    const tell = (settings: Settings): Settings => ({ ...settings, told: [...(settings.told ?? []), 'keeps-running'] });
    await this.#options.store.updateSettings(tell).catch(() => {});
    const { message, detail, buttons } = windowWords.keepsRunning;
    const options = { message, detail: detail(process.platform), buttons: [...buttons], defaultId: 0, cancelId: 0 };
    const { response } = await dialog.showMessageBox({ type: 'info', noLink: true, ...options });
    if (response === 1) app.quit();
  }

  #show(): void {
    if (this.#tray && this.#isWanted) return this.#tray.show(this.#state);
    this.#tray?.remove();
    this.#tray = this.#isWanted ? new ProgramTray(this.#state, this.#actions()) : undefined;
  }

  #actions(): ConstructorParameters<typeof ProgramTray>[1] {
    const { store, windows } = this.#options;
    return {
      open: () => windows.show(),
      openServer: (id) => windows.command('integration', id),
      pause: (programsPaused) =>
        void store.updateSettings((settings) => ({ ...settings, programsPaused })).catch(() => windows.show()),
      quit: () => app.quit(),
    };
  }
}
