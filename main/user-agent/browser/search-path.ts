type Environment = Readonly<Record<string, string | undefined>>;

/** On Windows `\bin` is another folder on each drive. */
const wholePath = { posix: /^\//, windows: /^(?:[a-z]:[\\/]|\\\\)/i };

/**
 * The folders of PATH that are named whole, in their order. An empty entry, `.` or `bin` means the folder that a person
 * happens to stand in, and what lies there was chosen by whoever made it.
 */
export function searchFolders(env: Environment, platform: NodeJS.Platform): readonly string[] {
  const isWindows = platform === 'win32';
  const whole = isWindows ? wholePath.windows : wholePath.posix;
  const entries = (env[pathVariable(env, platform)] ?? '').split(isWindows ? ';' : ':');
  return entries.filter((entry) => whole.test(entry));
}

/**
 * Takes all other entries out of `env`, for the programs that this one starts, and for those that they start in turn.
 */
export function keepSearchFolders(env: Record<string, string | undefined>, platform: NodeJS.Platform): void {
  const folders = searchFolders(env, platform).join(platform === 'win32' ? ';' : ':');
  // A shell reads an empty PATH as the current folder.
  env[pathVariable(env, platform)] = folders === '' && platform !== 'win32' ? '/usr/bin:/bin' : folders;
}

/** Windows minds no capitals here, and a copy of its environment does. */
function pathVariable(env: Environment, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return 'PATH';
  return Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'Path';
}
