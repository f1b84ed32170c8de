/** The part of express 5 (which ships no types) that the tests use. */
declare module 'express' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Request extends IncomingMessage {
    readonly path: string;
    readonly body?: unknown;
  }
  export interface Response extends ServerResponse {
    status(code: number): this;
    json(body: unknown): this;
    redirect(status: number, url: string): void;
  }
  export type RequestHandler = (request: Request, response: Response, next: (error?: unknown) => void) => unknown;

  interface Express extends RequestHandlerTarget {
    (request: IncomingMessage, response: ServerResponse): void;
  }
  interface RequestHandlerTarget {
    use(...handlers: readonly (string | RequestHandler)[]): this;
    get(path: string, ...handlers: readonly RequestHandler[]): this;
    all(path: string, ...handlers: readonly RequestHandler[]): this;
  }

  interface ExpressFactory {
    (): Express;
    json(): RequestHandler;
  }
  const express: ExpressFactory;
  export default express;
}
