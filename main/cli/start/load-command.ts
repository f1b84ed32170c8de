import type { Command } from '../command-context.ts';
import type { CommandName } from '../options/command-specs.ts';

/** Each loads itself and what it needs, and nothing of the others. */
export const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  discover: async () => (await import('../commands/discover.ts')).discover,
  connect: async () => (await import('../commands/connect.ts')).connect,
  list: async () => (await import('../commands/list.ts')).list,
  show: async () => (await import('../commands/show.ts')).show,
  tools: async () => (await import('../commands/tools.ts')).tools,
  resources: async () => (await import('../commands/resources.ts')).resources,
  read: async () => (await import('../commands/read.ts')).read,
  prompts: async () => (await import('../commands/prompts.ts')).prompts,
  prompt: async () => (await import('../commands/prompt.ts')).prompt,
  call: async () => (await import('../commands/call.ts')).call,
  token: async () => (await import('../commands/token.ts')).token,
  exec: async () => (await import('../commands/exec.ts')).exec,
  with: async () => (await import('../commands/with.ts')).withServer,
  watch: async () => (await import('../commands/watch.ts')).watch,
  refresh: async () => (await import('../commands/refresh.ts')).refresh,
  'sign-out': async () => (await import('../commands/sign-out.ts')).signOut,
  remove: async () => (await import('../commands/remove.ts')).remove,
  rename: async () => (await import('../commands/rename.ts')).rename,
  switch: async () => (await import('../commands/switch.ts')).switchAccount,
  export: async () => (await import('../commands/export.ts')).exportList,
  local: async () => (await import('../commands/local.ts')).local,
  start: async () => (await import('../commands/start.ts')).start,
  stop: async () => (await import('../commands/stop.ts')).stop,
  logs: async () => (await import('../commands/logs.ts')).logs,
  serve: async () => (await import('../commands/serve.ts')).serve,
  headers: async () => (await import('../commands/headers.ts')).headers,
  collection: async () => (await import('../commands/collection.ts')).collection,
  programs: async () => (await import('../commands/programs.ts')).programs,
  use: async () => (await import('../commands/use.ts')).use,
  unuse: async () => (await import('../commands/unuse.ts')).unuse,
  undo: async () => (await import('../commands/undo.ts')).undo,
  import: async () => (await import('../commands/import.ts')).importEntries,
  permit: async () => (await import('../commands/permit.ts')).permit,
  review: async () => (await import('../commands/review.ts')).review,
  revoke: async () => (await import('../commands/revoke.ts')).revoke,
  activity: async () => (await import('../commands/activity.ts')).activity,
  settings: async () => (await import('../commands/settings.ts')).settings,
  proxy: async () => (await import('../commands/proxy.ts')).proxy,
  completion: async () => (await import('../commands/completion.ts')).completion,
  doctor: async () => (await import('../commands/doctor.ts')).doctor,
};

/** Loads one command, after what has to be there before it. */
export async function loadCommand(command: CommandName): Promise<Command> {
  // Before the modules that make schemas.
  await import('./interpret-schemas.ts');
  return await commands[command]();
}
