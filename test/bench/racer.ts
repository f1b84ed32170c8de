export const parallelCalls = 5;

/** Five calls at once, made by one program in its own way. */
export interface Racer {
  readonly name: string;
  /** Fewer where each lost round costs a minute of waiting for windows. */
  readonly rounds: number;
  /** Opens what the rounds need; `home` is an empty folder. Answers how to make the calls. */
  start(url: string, home: string): Promise<RunningRacer>;
}

export interface RunningRacer {
  /** Signs in (again), so that every one of the five can call. */
  signIn(): Promise<void>;
  /** Makes the five calls at once; answers how many succeeded. */
  callAtOnce(): Promise<number>;
  /** Sign-in pages that were opened without being asked for since the last look. */
  takeWindows(): number;
  stop(): Promise<void>;
}

/** How many of them ended well within `milliseconds`. */
export async function countSuccesses(calls: readonly Promise<boolean>[], milliseconds: number): Promise<number> {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), milliseconds).unref());
  const outcomes = await Promise.all(calls.map((call) => Promise.race([call.catch(() => false), late])));
  return outcomes.filter(Boolean).length;
}
