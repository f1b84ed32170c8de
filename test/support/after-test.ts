type Clean = () => unknown;

let registerCleanup: ((clean: Clean) => void) | undefined;

/** Runs after the current test, in any runner; last registered, first run. */
export function afterTest(clean: Clean): void {
  if (registerCleanup === undefined) throw new Error('no test is running');
  registerCleanup(clean);
}

/** Sets how the runner registers cleanup. */
export function registerCleanupWith(register: typeof registerCleanup): void {
  registerCleanup = register;
}
