import { once } from 'node:events';
import { hasDisplay } from '../../main/cli/asking/cli-interaction.ts';
import { askPostern, showPostern } from './postern-command.ts';
import { endWithOuterProcess, hasPrivateKeychain } from './private-keychain.ts';
import type { StartArguments } from './start-arguments.ts';
import { startDemo } from './start-demo.ts';
import type { Demo } from './start-demo.ts';
import { useFromProgram } from './use-from-program.ts';

const names = { registration: 'Demo', typed: 'Demo with typed id', 'no-auth': 'Demo without sign-in' } as const;

const isPrivate = hasPrivateKeychain(process.env);

/** Starts the practice servers, connects Postern to them and uses a tool. Answers the exit code of the job. */
export async function showMainJob(given: StartArguments): Promise<number> {
  let interrupted = false;
  // The terminal sends Ctrl-C to the commands, too; they end first and say so, and then this ends.
  const remember = (): void => void (interrupted = true);
  process.on('SIGINT', remember).on('SIGTERM', remember);

  if (isPrivate) endWithOuterProcess();

  say('Starting a practice server on this computer.');
  const { mode, authPort, mcpPort } = given;
  const demo = await startDemo({ mode, authPort, mcpPort });
  try {
    introduce(demo);
    const name = names[mode];
    const code = (await isConnected(name, demo.url)) ? 0 : await connect(demo, name, given);
    const used = code === 0 && !interrupted ? await useTools(name) : code;
    const result = used === 0 && !interrupted ? await useFromProgram(name) : used;
    if (interrupted || result === 130) return 130;
    if (result !== 0) {
      say('\nIt stopped there. The lines above say why, and what to do next.');
      return result;
    }
    if (given.approve) {
      say('\nDone: from the address of a server to a connection that programs use. The practice server has ended.');
      return 0;
    }
    sayGoodBye(name, mode);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    say('\nThe practice server has ended.');
    return 0;
  } finally {
    process.off('SIGINT', remember).off('SIGTERM', remember);
    await demo.close();
  }
}

function introduce({ url, issuer, movedPorts }: Demo): void {
  for (const { wanted, used } of movedPorts) say(`Port ${wanted} is taken; ${used} is used instead.`);
  say(`  MCP server   ${url}`);
  if (issuer !== undefined) say(`  sign-in      ${issuer}`);
}

/** An integration of an earlier start is used again while it works; a stale one makes room for a new one. */
async function isConnected(name: string, url: string): Promise<boolean> {
  const { answer } = await askPostern(['list']);
  const integrations = Array.isArray(answer['integrations'])
    ? (answer['integrations'] as Record<string, unknown>[])
    : [];
  const known = integrations.filter((integration) => integration['name'] === name);
  if (known.length === 0) return false;
  const [only] = known;
  if (known.length === 1 && only?.['url'] === url && (await askPostern(['tools', name])).code === 0) {
    say('\nPostern is still connected to it from the last time, so nobody has to sign in again.');
    return true;
  }
  say('\nThe connection of the last time works no more; it is removed and made anew.');
  for (const { id } of known) await askPostern(['remove', String(id)]);
  return false;
}

async function connect(demo: Demo, name: string, given: StartArguments): Promise<number> {
  const signIn = given.approve
    ? 'browser'
    : (given.signIn ?? (hasDisplay(process.env, process.platform) ? 'browser' : 'print'));
  const words = ['connect', demo.url, '--local', '--name', name];
  const { typedClient } = demo;
  if (typedClient !== undefined) words.push('--client-id', typedClient.id, '--client-secret-stdin');
  if (demo.issuer !== undefined) {
    words.push('--sign-in', signIn);
    if (given.approve) say('\nA scripted browser signs in as the demo user.');
    else if (signIn === 'print')
      say('\nOpen the link that comes next, and sign in as demo, ada or grace; any password will do.');
    else say('\nYour browser opens the sign-in page. Sign in as demo, ada or grace; any password will do.');
  }
  return showPostern({
    words,
    ...(typedClient === undefined ? {} : { firstLine: typedClient.secret }),
    ...(given.approve ? { environment: { BROWSER: 'node test/demo/scripted-browser.ts' } } : {}),
  });
}

async function useTools(name: string): Promise<number> {
  const zone = JSON.stringify({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  for (const words of [
    ['tools', name],
    ['call', name, 'whoami'],
    ['call', name, 'time_in', zone],
  ]) {
    const code = await showPostern({ words });
    if (code !== 0) return code;
  }
  return 0;
}

function sayGoodBye(name: string, mode: StartArguments['mode']): void {
  say(`
That is all. ${isPrivate ? 'The connection is there while this runs' : 'Postern keeps this connection'}. In another terminal, try
`);
  if (isPrivate) {
    const { DBUS_SESSION_BUS_ADDRESS: bus = '', XDG_CONFIG_HOME: config = '' } = process.env;
    say(`  export DBUS_SESSION_BUS_ADDRESS='${bus}' POSTERN_HOME='${config}/Postern'`);
  }
  say('  npx postern list');
  say(`  npx postern call '${name}' add_note '{"text":"buy milk"}'`);
  if (mode !== 'no-auth')
    say(`  npx postern call '${name}' delete_notes --sign-in browser    (asks for a further permission)`);
  say('\nThe practice server runs until you press Ctrl-C.');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
