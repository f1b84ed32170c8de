/** The part of oidc-provider 9 (which ships no types) that the demo uses. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Client {
    readonly clientId: string;
    readonly clientName?: string;
    readonly clientUri?: string;
    grantTypeAllowed(type: string): boolean;
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    rejectOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    rejectResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export interface Interaction {
    readonly uid: string;
    readonly prompt: {
      readonly name: string;
      readonly details: {
        readonly missingOIDCScope?: readonly string[];
        readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
      };
    };
    readonly params: Readonly<Record<string, string | undefined>>;
    readonly session?: { readonly accountId: string };
    readonly grantId?: string;
  }

  export interface Context {
    readonly req: IncomingMessage;
    readonly oidc?: {
      readonly route: string;
      readonly body?: Record<string, unknown>;
      readonly params?: Readonly<Record<string, string | undefined>>;
      readonly client?: Client;
    };
    body: unknown;
    type: string;
    status: number;
    set(name: string, value: string): void;
  }

  export interface AdapterRecord {
    [name: string]: unknown;
  }

  export interface Adapter {
    upsert(id: string, payload: AdapterRecord, expiresIn?: number): Promise<void>;
    find(id: string): Promise<AdapterRecord | undefined>;
    findByUid(uid: string): Promise<AdapterRecord | undefined>;
    findByUserCode(userCode: string): Promise<AdapterRecord | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Client: { find(id: string): Promise<Client | undefined> };
    readonly Grant: {
      new (of: { accountId: string; clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    readonly ClientCredentials: {
      new (of: { client: Client; scope: string | undefined }): { resourceServer: object; save(): Promise<string> };
    };
    readonly ResourceServer: { new (resource: string, of: object): object };
    readonly IdToken: {
      validate(jwt: string, client: Client): Promise<{ readonly payload: Readonly<Record<string, unknown>> }>;
    };
    registerGrantType(name: string, handler: (context: Context) => Promise<void>, parameters: readonly string[]): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
    on(event: string, listener: (...values: unknown[]) => void): this;
  }

  export const errors: {
    readonly InvalidTarget: new (description?: string) => Error;
    readonly InvalidGrant: new (description: string) => Error;
    readonly InvalidClientMetadata: new (description: string) => Error;
  };
}
