/** Words of a command, names of variables, and characters of each: what a person could still read. */
export const commandBounds = { words: 100, length: 4_096, variables: 50 } as const;

/** The name of an environment variable: all that a system passes on (POSIX.1-2024 8.1), but for what cannot be shown. */
export const variableName = /^[^=\p{Cc}]{1,128}$/u;

const fetching = /^(?:npx|pnpx|bunx|uvx|pipx|docker|podman|npm|pnpm|yarn|bun|deno|uv)(?:\.(?:cmd|exe|ps1|bat))?$/i;

/** Whether the command is one that fetches code and runs it, so that what runs may be other code each time. */
export function fetchesCode({ command }: { readonly command: string }): boolean {
  return fetching.test(command.split(/[/\\]/).at(-1) ?? '');
}
