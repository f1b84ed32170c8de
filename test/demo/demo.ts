import { once } from 'node:events';
import { demoHelp, parseDemoArguments } from './demo-arguments.ts';
import type { DemoArguments } from './demo-arguments.ts';
import { startDemo } from './start-demo.ts';
import type { Demo } from './start-demo.ts';

let args: DemoArguments;
try {
  args = parseDemoArguments(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${demoHelp}`);
  process.exit(2);
}
if (args.help) {
  process.stdout.write(demoHelp);
  process.exit(0);
}

const demo = await startDemo(args);
process.stdout.write(describe(demo));
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
process.stdout.write('\nThe demo has stopped.\n');
await demo.close();

function describe({ url, issuer, typedClient, movedPorts }: Demo): string {
  return [
    ...movedPorts.map(({ requested, used }) => `Port ${requested} is taken, so ${used} is used.`),
    'The demo is running on this computer. Press Ctrl-C to stop it.',
    '',
    `  MCP server      ${url}`,
    `  sign-in         ${issuer === undefined ? 'none' : `${issuer}  (user demo, ada or grace; any password)`}`,
    ...(typedClient === undefined
      ? []
      : [`  client ID       ${typedClient.id}`, `  client secret   ${typedClient.secret}`]),
    '',
    'Try, in another terminal:',
    '',
    `  ${describeConnect(url, typedClient)}`,
    '  npx postern tools Demo',
    `  npx postern call Demo time_in '{"zone":"Europe/Berlin"}'`,
    ...(issuer === undefined ? [] : ['  npx postern call Demo delete_notes --sign-in browser']),
    '',
  ].join('\n');
}

/** The secret goes to standard input, because other processes can read a command line. */
function describeConnect(url: string, typedClient: Demo['typedClient']): string {
  const connect = `npx postern connect ${url} --local --name Demo`;
  if (typedClient === undefined) return connect;
  return `printf '%s\\n' '${typedClient.secret}' | ${connect} --client-id ${typedClient.id} --client-secret-stdin`;
}
