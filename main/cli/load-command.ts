import type { Command } from './command-context.ts';
import type { CommandName } from './command-specs.ts';

/** Loads one command and what it needs, and nothing of the others. */
export const loadCommand: Readonly<Record<CommandName, () => Promise<Command>>> = {
  discover: async () => (await import('./commands/discover.ts')).discover,
  connect: async () => {
    await wakeKeychain();
    return (await import('./commands/connect.ts')).connect;
  },
  list: async () => (await import('./commands/list.ts')).list,
  show: async () => (await import('./commands/show.ts')).show,
  tools: async () => {
    await wakeKeychain();
    return (await import('./commands/tools.ts')).tools;
  },
  call: async () => {
    await wakeKeychain();
    return (await import('./commands/call.ts')).call;
  },
  token: async () => {
    await wakeKeychain();
    return (await import('./commands/token.ts')).token;
  },
  refresh: async () => {
    await wakeKeychain();
    return (await import('./commands/refresh.ts')).refresh;
  },
  'sign-out': async () => (await import('./commands/sign-out.ts')).signOut,
  remove: async () => (await import('./commands/remove.ts')).remove,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
};

/** The keychain's process takes as long to start as the command to load, so it starts first. It asks nobody anything. */
async function wakeKeychain(): Promise<void> {
  const { systemKeychain } = await import('./system-keychain.ts');
  systemKeychain().prepare();
}
