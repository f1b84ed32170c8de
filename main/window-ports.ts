import * as z from 'zod/mini';
import type { ActivityCall, CallGroup, Today } from '../shared/activity.ts';
import type { UpdateView } from '../shared/desktop-view.ts';
import type { Theme } from '../shared/choices.ts';
import type { RestoredSettings } from '../shared/desktop-view.ts';
import type { BrowserAddress, CheckedAddress } from './address/check-address.ts';
import type { PosternError } from './errors/postern-error.ts';

const pixels = z.int().check(z.minimum(-100_000), z.maximum(100_000));

/** Bounds of the window, in device-independent pixels. */
const boundsSchema = z.strictObject({
  x: z.optional(pixels),
  y: z.optional(pixels),
  width: pixels,
  height: pixels,
  maximized: z.boolean(),
});

/** One-time hints: closing the window leaves Postern running; Postern can start at login. */
const hints = ['keeps-running', 'start-at-login'] as const;

/** State of the window between starts. An invalid member is dropped; the others stay. */
export const windowStateSchema = z.object({
  place: z.catch(z.optional(boundsSchema), undefined),
  isSidebarFolded: z.catch(z.optional(z.boolean()), undefined),
  /** Hints that were already shown. */
  shownHints: z.catch(z.optional(z.array(z.enum(hints))), undefined),
  /** Unanswered calls up to this moment were seen, in milliseconds since 1970. */
  unansweredSeenAt: z.catch(z.optional(z.int()), undefined),
});

export type Hint = (typeof hints)[number];
export type WindowState = z.infer<typeof windowStateSchema>;
export type WindowBounds = z.infer<typeof boundsSchema>;

export interface SignInPopup {
  /** Brings it to the front. */
  focus(): void;
  /** Closes it without calling `onClosed`. */
  close(): void;
}

export interface SignInPopupOptions {
  readonly url: CheckedAddress;
  /** The page navigated. */
  readonly onArrive: (address: URL) => void;
  /** A navigation to a scheme other than http or https was blocked. */
  readonly onBlocked: () => void;
  /** The user wants to continue in the default browser. */
  readonly onUseBrowser: () => void;
  /** The user closed the popup, or it went away on its own. */
  readonly onClosed: () => void;
}

/** A confirmation dialog before something that cannot be undone. */
export interface Confirmation {
  readonly message: string;
  readonly detail: string;
  /** Label of the button that confirms. */
  readonly button: string;
}

/** A notification of the system. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  /** What a click shows, unless it is a question. */
  readonly integrationId: string;
  readonly question?: NoticeQuestion;
}

/** A tool call that waits for the user's answer. A click shows the small window that asks about it. */
export interface NoticeQuestion {
  /** Shown where the system has buttons. Without `press`, a button is like a click on the notification. */
  readonly buttons: readonly { readonly label: string; readonly press?: () => void }[];
  /** Aborted when the question has ended: the notification is withdrawn, and its buttons no longer answer. */
  readonly ended: AbortSignal;
}

/** The windows and the desktop, as the rest of the window process uses them. */
export interface DesktopShell {
  /** A separate window, with a session that ends with it. */
  openPopup(options: SignInPopupOptions): SignInPopup;
  /** Errors: BROWSER_OPEN_FAILED. */
  openBrowser(address: BrowserAddress): Promise<void>;
  /** Shows one of Postern's folders, or a file in one. Errors: NOT_FOUND if the system cannot. */
  openFolder(path: string): Promise<void>;
  /** The icon of an executable, as PNG; only on Windows. `undefined`: there is no such file, or it has no icon. */
  iconOfProgram(path: string): Promise<Buffer | undefined>;
  copyText(text: string): void;
  /** Opens a save dialog. False if the user cancels. */
  saveFile(suggestedName: string, content: string | Uint8Array): Promise<boolean>;
  /** Opens a file dialog and returns the path: a page must never supply a path itself. `undefined` if cancelled. */
  chooseFile(title: string): Promise<string | undefined>;
  /** Opens a file dialog and reads the file. `undefined` if cancelled. */
  readText(): Promise<string | undefined>;
  /** Uses a system dialog, which no page can answer. False if the user declines or closes it. */
  confirm(question: Confirmation): Promise<boolean>;
  /** Shows it silently. */
  notify(notice: Notice): void;
  applyTheme(theme: Theme): void;
  /** BCP 47 language tags, most preferred first. */
  systemLanguages(): readonly string[];
  /** Starting at login, in the background. */
  readonly startAtLogin: {
    readonly available: boolean;
    readonly isOn: () => boolean;
    /** Errors: CFG_*. */
    readonly set: (on: boolean) => void;
  };
}

/** Where `WindowState` is stored. Losing it is harmless; nothing here throws. */
export interface WindowStateStore {
  readonly read: () => WindowState;
  /** Merges these members. */
  readonly change: (change: WindowState) => void;
  readonly forget: () => void;
}

/** The file with settings and the integration list, for when the user has to repair it. */
export interface SettingsFile {
  readonly path: string;
  /** Why the file is unusable; `undefined` if it is fine. */
  findFault(): Promise<SettingsFileFault | undefined>;
  /** `undefined`: the file is fine and was left alone. Errors: CFG_*. */
  restore(): Promise<RestoredSettings | undefined>;
}

interface SettingsFileFault {
  readonly error: PosternError;
  /** The backup that can be restored. */
  readonly lastGood?: { readonly servers: number; readonly writtenAt: number };
}

/** Calls by AI apps, numbered in the order in which they were recorded. */
export interface ActivityLog {
  /** Calls numbered higher than `after`, oldest first. Those before `first` are gone. Never rejects. */
  read(
    after: number,
  ): Promise<{ readonly first: number; readonly last: number; readonly calls: readonly ActivityCall[] }>;
}

/** A group of like calls, with the server's name at the time. */
export interface CountedCalls extends Omit<CallGroup, 'appName' | 'serverName'> {
  readonly server: string;
}

/** Calls since midnight, counted. */
export interface TodaysCalls {
  /** Reads what is new. `revision` grows with every change. Never rejects. */
  read(): Promise<{
    readonly revision: number;
    readonly uses: Today['uses'];
    /** The newest first. */
    readonly groups: readonly CountedCalls[];
    /** Tool calls of the last days that the user was asked about in vain, the newest first. */
    readonly unanswered: readonly CountedCalls[];
  }>;
}

/** Postern updates. The view reports the outcome of each call; none rejects. */
export interface PosternUpdates {
  view(): Promise<UpdateView>;
  check(): Promise<void>;
  download(): Promise<void>;
  install(): Promise<void>;
}

/** Icons of a server as it sent them: checked by their magic bytes, but not decoded. */
export interface StoredIcons {
  /** Digest of the icon list that the server sent, and when it was requested, in milliseconds since 1970. */
  readonly named: string;
  readonly at: number;
  /** One per theme, in base64. */
  readonly light: string;
  readonly dark: string;
}

/** The first 16 digits of each icon's digest. */
export type IconDigests = Pick<StoredIcons, 'light' | 'dark'>;

/** Server icons, by the first 32 digits of a digest of the URL. Losing them is harmless. */
export interface IconStore {
  /** Never rejects. */
  list(): Promise<ReadonlyMap<string, IconDigests>>;
  /** Never rejects. */
  read(key: string): Promise<StoredIcons | undefined>;
  /** `undefined` deletes the entry. Errors: CFG_DISK_FULL, CFG_READONLY. */
  write(
    key: string,
    icons: { readonly original: StoredIcons; readonly digests: IconDigests } | undefined,
  ): Promise<void>;
  /** Deletes all others. Never rejects. */
  retain(keys: ReadonlySet<string>): Promise<void>;
}
