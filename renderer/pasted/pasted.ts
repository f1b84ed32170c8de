/** What stands in a text that a person typed or pasted where a server is asked for. */
export type Pasted =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'address'; readonly url: string }
  /** A text with several addresses that could be meant. */
  | { readonly kind: 'several'; readonly urls: readonly string[] }
  /**
   * Servers for `import:read`, which keeps the secrets of headers in main: a configuration as it was pasted, or one
   * that says what a command did. `url`: the one address that it leads to, where that can be seen from here.
   */
  | { readonly kind: 'list'; readonly text: string; readonly url?: string }
  /** Would start this program on this computer. */
  | { readonly kind: 'local'; readonly program: string }
  /** Perhaps the name of a service. */
  | { readonly kind: 'name'; readonly name: string }
  /** Text without any address. */
  | { readonly kind: 'text' };
