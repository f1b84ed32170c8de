import { once } from 'node:events';
import { hasDisplay } from '../../main/cli/interaction/cli-interaction.ts';
import { askPostern, showPostern } from './postern-command.ts';
import { endWithOuterProcess, hasPrivateKeychain } from './private-keychain.ts';
import type { StartArguments } from './start-arguments.ts';
import { startDemo } from './start-demo.ts';
import type { Demo } from './start-demo.ts';
import { useFromApp } from './use-from-app.ts';

const names = { registration: 'Demo', typed: 'Demo with typed id', 'no-auth': 'Demo without sign-in' } as const;

const isPrivate = hasPrivateKeychain(process.env);

/** Starts the demo servers, connects Postern to them and uses a tool. Returns the exit code. */
export async function showMainJob(args: StartArguments): Promise<number> {
  let interrupted = false;
  // The terminal also sends Ctrl-C to the commands; they end first with a message, then this process.
  const remember = (): void => void (interrupted = true);
  process.on('SIGINT', remember).on('SIGTERM', remember);

  if (isPrivate) endWithOuterProcess();

  print('Starting a demo server on this computer.');
  const { mode, authPort, mcpPort } = args;
  const demo = await startDemo({ mode, authPort, mcpPort });
  try {
    introduce(demo);
    const name = names[mode];
    const code = (await isConnected(name, demo.url)) ? 0 : await connect(demo, name, args);
    const used = code === 0 && !interrupted ? await useTools(name) : code;
    const result = used === 0 && !interrupted ? await useFromApp(name) : used;
    if (interrupted || result === 130) return 130;
    if (result !== 0) {
      print('\nThe demo stopped. The lines above show why and what to do next.');
      return result;
    }
    if (args.approve) {
      print('\nDone: from a server address to a connection that AI apps use. The demo server has stopped.');
      return 0;
    }
    sayGoodBye(name, mode);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    print('\nThe demo server has stopped.');
    return 0;
  } finally {
    process.off('SIGINT', remember).off('SIGTERM', remember);
    await demo.close();
  }
}

function introduce({ url, issuer, movedPorts }: Demo): void {
  for (const { requested, used } of movedPorts) print(`Port ${requested} is taken, so ${used} is used.`);
  print(`  MCP server   ${url}`);
  if (issuer !== undefined) print(`  sign-in      ${issuer}`);
}

/** Reuses an integration from an earlier start if it works; otherwise replaces it. */
async function isConnected(name: string, url: string): Promise<boolean> {
  const { result } = await askPostern(['list']);
  const integrations = Array.isArray(result['integrations'])
    ? (result['integrations'] as Record<string, unknown>[])
    : [];
  const known = integrations.filter((integration) => integration['name'] === name);
  if (known.length === 0) return false;
  const [only] = known;
  if (known.length === 1 && only?.['url'] === url && (await askPostern(['tools', name])).code === 0) {
    print('\nPostern is still connected from last time, so no new sign-in is needed.');
    return true;
  }
  print('\nThe connection from last time no longer works, so it is replaced.');
  for (const { id } of known) await askPostern(['remove', String(id)]);
  return false;
}

async function connect(demo: Demo, name: string, args: StartArguments): Promise<number> {
  const signIn = args.approve
    ? 'browser'
    : (args.signIn ?? (hasDisplay(process.env, process.platform) ? 'browser' : 'print'));
  const words = ['connect', demo.url, '--local', '--name', name];
  const { typedClient } = demo;
  if (typedClient !== undefined) words.push('--client-id', typedClient.id, '--client-secret-stdin');
  if (demo.issuer !== undefined) {
    words.push('--sign-in', signIn);
    if (args.approve) print('\nA scripted browser signs in as the demo user.');
    else if (signIn === 'print') print('\nOpen the next link and sign in as demo, ada or grace. Any password works.');
    else print('\nYour browser opens the sign-in page. Sign in as demo, ada or grace. Any password works.');
  }
  return showPostern({
    words,
    ...(typedClient === undefined ? {} : { firstLine: typedClient.secret }),
    ...(args.approve ? { environment: { BROWSER: 'node test/demo/scripted-browser.ts' } } : {}),
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
  print(`
That is all. ${isPrivate ? 'The connection lasts while this runs' : 'Postern saves this connection'}. In another terminal, try
`);
  if (isPrivate) {
    const { DBUS_SESSION_BUS_ADDRESS: bus = '', XDG_CONFIG_HOME: config = '' } = process.env;
    print(`  export DBUS_SESSION_BUS_ADDRESS='${bus}' POSTERN_HOME='${config}/Postern'`);
  }
  print('  npx postern list');
  print(`  npx postern call '${name}' add_note '{"text":"buy milk"}'`);
  if (mode !== 'no-auth')
    print(`  npx postern call '${name}' delete_notes --sign-in browser    (requests another permission)`);
  print('\nThe demo server runs until you press Ctrl-C.');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
