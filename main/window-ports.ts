import * as z from 'zod/mini';
import type { ActivityCall } from '../shared/activity.ts';
import type { UpdateView } from '../shared/app-view.ts';
import type { Theme } from '../shared/choices.ts';
import type { RestoredSettings } from '../shared/app-view.ts';
import type { BrowserAddress, CheckedAddress } from './address/check-address.ts';
import type { PosternError } from './errors/postern-error.ts';

const pixels = z.int().check(z.minimum(-100_000), z.maximum(100_000));

/** Where the window was, in device-independent pixels. */
const placeSchema = z.strictObject({
  x: z.optional(pixels),
  y: z.optional(pixels),
  width: pixels,
  height: pixels,
  maximized: z.boolean(),
});

/** That closing the window leaves the program running; that it can start with the computer. */
const hints = ['keeps-running', 'start-at-login'] as const;

/** What the window remembers of itself. A member that does not fit is forgotten alone. */
export const rememberedSchema = z.object({
  place: z.catch(z.optional(placeSchema), undefined),
  /** The whole side bar. */
  isSidebarFolded: z.catch(z.optional(z.boolean()), undefined),
  /** What the user has been told, or was asked, once. */
  told: z.catch(z.optional(z.array(z.enum(hints))), undefined),
});

export type Hint = (typeof hints)[number];
export type Remembered = z.infer<typeof rememberedSchema>;
export type WindowPlace = z.infer<typeof placeSchema>;

/** What the program needs from its windows and from the desktop around them; `windows/` implements it. */

export interface SignInPopup {
  /** Brings it to the front. */
  focus(): void;
  /** Closes it without telling `onClosed`. */
  close(): void;
}

export interface SignInPopupOptions {
  readonly url: CheckedAddress;
  /** The page has come to another address. */
  readonly onArrive: (address: URL) => void;
  /** The page wanted to lead away from the web, and was stopped. */
  readonly onBlocked: () => void;
  /** The person wants the page in their own browser. */
  readonly onUseBrowser: () => void;
  /** The person closed it, or it is gone by itself. */
  readonly onClosed: () => void;
}

/** Something that cannot be undone, before it is done. */
export interface PersonQuestion {
  readonly message: string;
  readonly detail: string;
  /** What the person agrees to. */
  readonly button: string;
}

export interface DesktopShell {
  /** A window of its own, with a session of its own that ends with it. */
  openPopup(options: SignInPopupOptions): SignInPopup;
  /** Errors: BROWSER_OPEN_FAILED. */
  openBrowser(address: BrowserAddress): Promise<void>;
  /** Shows a folder of ours, or a file in it. Errors: NOT_FOUND where the system cannot. */
  openFolder(place: string): Promise<void>;
  copyText(text: string): void;
  /** Asks where to. False: the person chose nowhere. */
  saveFile(suggestedName: string, content: string | Uint8Array): Promise<boolean>;
  /** Asks for a file, for what `title` says: its path, which no page may name. `undefined`: the person chose none. */
  chooseFile(title: string): Promise<string | undefined>;
  /** Asks for a file and reads it. `undefined`: the person chose none. */
  readText(): Promise<string | undefined>;
  /** In a dialog of the system, which no page can answer. False: the person said no, or closed it. */
  confirm(question: PersonQuestion): Promise<boolean>;
  /** Brings the main window to the front. */
  focusWindow(): void;
  /** One quiet notice; a click shows the integration. */
  notify(notice: { readonly title: string; readonly body: string; readonly integrationId: string }): void;
  applyTheme(theme: Theme): void;
  /** As language tags of BCP 47, the one that the person likes best first. */
  systemLanguages(): readonly string[];
  /** In the background. */
  readonly startAtLogin: {
    readonly available: boolean;
    readonly isOn: () => boolean;
    /** Errors: CFG_*. */
    readonly set: (on: boolean) => void;
  };
}

/** What the window remembers of itself. It can be lost at any time; nothing here throws. */
export interface WindowMemory {
  readonly read: () => Remembered;
  /** Changes these members alone. */
  readonly change: (change: Remembered) => void;
  readonly forget: () => void;
}

/** The file that settings and list are kept in, for a person who has to look after it. */
export interface SettingsFile {
  readonly path: string;
  /** Why it cannot be used; `undefined` where it can. */
  trouble(): Promise<SettingsTrouble | undefined>;
  /** `undefined`: it can be used, and stays. Errors: CFG_*. */
  restore(): Promise<RestoredSettings | undefined>;
}

export interface SettingsTrouble {
  readonly error: PosternError;
  /** What can be brought back. */
  readonly lastGood?: { readonly servers: number; readonly writtenAt: number };
}

/** Which program called what, numbered in the order in which it was noted. */
export interface ActivityLog {
  /** What came after the one with that number, oldest first; older ones than `first` are gone. Never rejects. */
  read(
    after: number,
  ): Promise<{ readonly first: number; readonly last: number; readonly calls: readonly ActivityCall[] }>;
}

/** Newer versions of the program. What becomes of a call stands in the view; none rejects. */
export interface ProgramUpdates {
  view(): Promise<UpdateView>;
  check(): Promise<void>;
  download(): Promise<void>;
  install(): Promise<void>;
}

/** Pictures of a server, as it sent them; checked by their first bytes, and decoded by nobody yet. */
export interface KeptIcons {
  /** A digest of what the server had named, and when it was asked, in milliseconds since 1970. */
  readonly named: string;
  readonly at: number;
  /** For either theme, in base64. */
  readonly light: string;
  readonly dark: string;
}

/** What tells two pictures apart: 16 digits of a digest each. */
export type IconMarks = Pick<KeptIcons, 'light' | 'dark'>;

/** Pictures of servers, by 32 digits of a digest of the address. They can be lost at any time. */
export interface IconStore {
  /** Never rejects. */
  list(): Promise<ReadonlyMap<string, IconMarks>>;
  /** Never rejects. */
  read(key: string): Promise<KeptIcons | undefined>;
  /** `undefined`: none any more. Errors: CFG_DISK_FULL, CFG_READONLY. */
  write(key: string, icons: { readonly kept: KeptIcons; readonly marks: IconMarks } | undefined): Promise<void>;
  /** Deletes all others. Never rejects. */
  retain(keys: ReadonlySet<string>): Promise<void>;
}
