/** How a command ends. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  signIn: 3,
  notRunnable: 126,
  notFound: 127,
  interrupted: 130,
} as const;

/** A full disk, where somebody keeps the answer and would take what is left of it for the whole. */
export const lostAnswer = 'Error: The answer could not be written to standard output.\n';

/** The folder of this process; nothing where it has been removed. */
export function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
