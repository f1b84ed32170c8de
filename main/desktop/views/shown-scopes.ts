import { displayText } from '../../address/display-text.ts';

/** Servers list hundreds; the window shows these many, each cut. */
const mostShown = 200;

/** Scope names of a server as chips. */
export function shownScopes(scopes: readonly string[]): string[] {
  return [...new Set(scopes.map((scope) => displayText(scope, 120)))]
    .filter((scope) => scope !== '')
    .slice(0, mostShown);
}
