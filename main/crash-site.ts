/**
 * Where in the program an error came from: file names, lines and columns alone (a built file is one line), since its
 * message may hold what a server sent.
 */
export function crashSite(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  const inner = crashSite(error.cause);
  if (inner !== undefined) return inner;
  const heading = `${error.name}: ${error.message}`;
  const at = error.stack.indexOf(heading);
  const frames = error.stack.slice(at < 0 ? error.stack.length : at + heading.length).split('\n');
  const places = frames.map((frame) => /([\w.-]+\.[jt]s:\d+:\d+)\)?$/u.exec(frame)?.[1]);
  return (
    places
      .filter((place) => place !== undefined)
      .slice(0, 6)
      .join(' < ') || undefined
  );
}
