export const parallelCalls = 5;

/** Five concurrent calls by one contender, in its own way. */
export interface Racer {
  readonly name: string;
  /** Fewer if each lost round means a minute of waiting for windows. */
  readonly rounds: number;
  /** Sets up the rounds; `home` is an empty folder. Returns functions to make the calls. */
  start(url: string, home: string): Promise<RunningRacer>;
}

export interface RunningRacer {
  /** Signs in (again), so that all five can make calls. */
  signIn(): Promise<void>;
  /** Makes the five calls at once; returns how many succeeded. */
  callAtOnce(): Promise<number>;
  /** Unrequested sign-in pages opened since the last call. */
  takeWindows(): number;
  stop(): Promise<void>;
}

/** How many succeeded within `milliseconds`. */
export async function countSuccesses(calls: readonly Promise<boolean>[], milliseconds: number): Promise<number> {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), milliseconds).unref());
  const outcomes = await Promise.all(calls.map((call) => Promise.race([call.catch(() => false), late])));
  return outcomes.filter(Boolean).length;
}
