type Clean = () => unknown;

let keep: ((clean: Clean) => void) | undefined;

/** Runs after the current test, in any runner; last registered, first run. */
export function afterTest(clean: Clean): void {
  if (keep === undefined) throw new Error('no test is running');
  keep(clean);
}

/** Sets how the runner registers cleanup. */
export function keepForAfterTest(how: typeof keep): void {
  keep = how;
}
