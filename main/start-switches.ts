/**
 * Of the words that a program was started with those that may be switches. The protocol of Windows puts a link behind
 * the end of all switches (`--`), whatever it holds.
 */
export function startSwitches(given: readonly string[]): readonly string[] {
  const end = given.indexOf('--');
  return end === -1 ? given : given.slice(0, end);
}

/**
 * Variables with which a local program, or a line in somebody's shell profile, would switch certificate checks off or
 * have keys written down. Taken out of `env`, so that neither this process nor its children heed them; their names are
 * the answer. Without the first Node would also warn of a danger that does not exist here.
 */
export function removeIgnoredVariables(env: Record<string, string | undefined>): readonly string[] {
  const found: string[] = [];
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') found.push('NODE_TLS_REJECT_UNAUTHORIZED');
  if (env['SSLKEYLOGFILE']) found.push('SSLKEYLOGFILE');
  for (const name of found) delete env[name];
  return found;
}
