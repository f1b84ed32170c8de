import { startAdapter } from './adapter/start-adapter.ts';
import { adapterDifferences } from './adapter-differences.ts';
import { endpointDifferences } from './endpoint-differences.ts';
import type { KnownDifference } from './known-difference.ts';
import type { OpenGateway } from './open-gateway.ts';
import { startHeaderProxy } from './start-header-proxy.ts';

export interface Opened {
  /** Where the suite finds the server. */
  readonly url: string;
  close(): Promise<void>;
}

/** A route from an app through Postern to a server. */
export interface Route {
  readonly name: string;
  /** To the server that the gateway knows by its alias. */
  open(alias: string, gateway: OpenGateway): Promise<Opened>;
  /** Checks that may, and must, differ from the direct run. */
  readonly differences: readonly KnownDifference[];
}

export const routes: readonly Route[] = [
  {
    name: 'pipe',
    open: async (alias, gateway) => await startAdapter(gateway.pipeTo(alias)),
    differences: adapterDifferences,
  },
  {
    name: 'http',
    open: async (alias, gateway) => {
      const { url, fields } = await gateway.httpTo(alias);
      return await startHeaderProxy(url, fields);
    },
    differences: endpointDifferences,
  },
];
