/**
 * The command that signs in to a server that is connected, in the browser; `tools` asks besides for the permissions that its
 * tools want. `reference`: its alias, id or name, as a person would type it.
 */
export function signInCommand(reference: string, command: 'refresh' | 'tools'): string {
  return `\`postern ${command} ${reference} --sign-in browser\``;
}
