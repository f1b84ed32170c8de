import type { Command } from './command-context.ts';
import type { CommandName } from './command-specs.ts';
import type { ParsedArguments } from './parse-arguments.ts';

/** Loads one command and what it needs, and nothing of the others. */
export const loadCommand: Readonly<Record<CommandName, (args: ParsedArguments) => Promise<Command>>> = {
  discover: async () => (await import('./commands/discover.ts')).discover,
  connect: async (args) => {
    await wake(args);
    return (await import('./commands/connect.ts')).connect;
  },
  list: async () => (await import('./commands/list.ts')).list,
  show: async () => (await import('./commands/show.ts')).show,
  tools: async (args) => {
    await wake(args);
    return (await import('./commands/tools.ts')).tools;
  },
  call: async (args) => {
    await wake(args);
    return (await import('./commands/call.ts')).call;
  },
  token: async (args) => {
    await wake(args);
    return (await import('./commands/token.ts')).token;
  },
  refresh: async (args) => {
    await wake(args);
    return (await import('./commands/refresh.ts')).refresh;
  },
  'sign-out': async () => (await import('./commands/sign-out.ts')).signOut,
  remove: async () => (await import('./commands/remove.ts')).remove,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
};

async function wake(args: ParsedArguments): Promise<void> {
  const { wakeKeychain } = await import('./wake-keychain.ts');
  wakeKeychain(args);
}
