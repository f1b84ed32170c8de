import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { completeSignIn } from '../support/scripted-browser.ts';
import { MemoryAuthProvider } from '../support/memory-auth-provider.ts';
import { countSuccesses, parallelCalls } from './racer.ts';
import type { Racer } from './racer.ts';

const callbackUrl = 'http://127.0.0.1:5999/integration/oauth/callback';

class CountingProvider extends MemoryAuthProvider {
  windows = 0;

  override redirectToAuthorization = (url: URL): void => {
    this.windows += 1;
    this.authorizationUrl = url;
  };
}

/** Five connections of one app that share a provider, as in a desktop app. */
export const raceOfficialClient: Racer = {
  name: 'official client, one process',
  rounds: 20,
  async start(url) {
    let provider = new CountingProvider(callbackUrl);
    let clients: Client[] = [];
    // It warns about every lost grant, which the table also shows.
    const { warn } = console;
    console.warn = () => {};
    const closeAll = async (): Promise<void> => {
      await Promise.allSettled(clients.map((client) => client.close()));
      clients = [];
    };
    const connect = async (): Promise<Client> => {
      const client = new Client({ name: 'bench', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider: provider }));
      return client;
    };
    return {
      async signIn() {
        await closeAll();
        provider = new CountingProvider(callbackUrl);
        const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
        await new Client({ name: 'bench', version: '1' }).connect(transport).catch(() => {});
        const landed = await completeSignIn(provider.authorizationUrl?.href ?? '', {
          stopBefore: (page) => page.href.startsWith(callbackUrl),
        });
        await transport.finishAuth(new URL(landed.url).searchParams);
        for (let count = 0; count < parallelCalls; count += 1) clients.push(await connect());
        await Promise.all(clients.map((client) => client.listTools()));
        provider.windows = 0;
      },
      callAtOnce: async () =>
        await countSuccesses(
          clients.map(async (client) => (await client.listTools()).tools.length > 0),
          30_000,
        ),
      takeWindows() {
        const opened = provider.windows;
        provider.windows = 0;
        return opened;
      },
      async stop() {
        console.warn = warn;
        await closeAll();
      },
    };
  },
};
