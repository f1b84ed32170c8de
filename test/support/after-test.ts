type Clean = () => unknown;

let keep: ((clean: Clean) => void) | undefined;

/** Runs when the test that is running has ended, whichever runner runs it; the last one comes first. */
export function afterTest(clean: Clean): void {
  if (keep === undefined) throw new Error('no test is running');
  keep(clean);
}

/** How the runner keeps what a test leaves to it, from now on. */
export function keepForAfterTest(how: typeof keep): void {
  keep = how;
}
