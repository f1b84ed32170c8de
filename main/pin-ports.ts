/** One tool as a server described it, to be told apart from what it says later. */
export interface SeenTool {
  readonly name: string;
  /** Hash of all that it says of itself: see `seeTool`. */
  readonly form: string;
  /** The same as text, as far as that is kept. */
  readonly text?: string | undefined;
}

/** A tool as a person has had it before them. */
export interface PinnedTool {
  readonly name: string;
  /** Those that the person has accepted, the newest last. */
  readonly forms: readonly string[];
  /** Of the newest. */
  readonly text?: string | undefined;
}

/** What a tool says otherwise, or one that is new; nobody has looked at it. */
export interface ChangedTool extends SeenTool {
  /** Milliseconds since 1970 at which it was seen. */
  readonly at: number;
}

/** What is remembered of the tools of one server. */
export interface ToolPins {
  /** All of them have been listed: whatever else comes is new. */
  readonly isWhole: boolean;
  readonly tools: readonly PinnedTool[];
  readonly changed: readonly ChangedTool[];
}

/** Keeps it on disk, by integration. */
export interface PinStore {
  /** `undefined`: nothing is kept. A file that cannot be read has all tools as new ones. Never rejects. */
  read(id: string): Promise<ToolPins | undefined>;
  /**
   * Re-reads, changes and writes in one step, where the integration is in the list; answers what is then kept.
   * Errors: CFG_* (stage `storage`).
   */
  change(id: string, edit: (pins: ToolPins | undefined) => ToolPins): Promise<ToolPins>;
  /** Never rejects. */
  forget(id: string): Promise<void>;
  /** Forgets all that are not in the list, and cannot come back. Never rejects. */
  sweep(): Promise<void>;
}
