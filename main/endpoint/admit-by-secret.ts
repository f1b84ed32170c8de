import type { IncomingMessage } from 'node:http';
import type { Admission, AdmitBearer } from '../gateway-ports.ts';
import { gatewayHttp } from '../limits.ts';

export type Admitted = Extract<Admission, { kind: 'admitted' }>;

/** The status that says no, or the program whose secret the request shows. Never rejects. */
export async function admitBySecret(
  { headers }: IncomingMessage,
  alias: string,
  { admit, wrongSecrets }: { readonly admit: AdmitBearer; readonly wrongSecrets: WrongSecrets },
): Promise<number | Admitted> {
  const secret = /^Bearer ([\x21-\x7e]{1,512})$/u.exec(headers.authorization ?? '')?.[1];
  const admission = secret === undefined ? ({ kind: 'unknown' } as const) : await admit(secret, alias);
  switch (admission.kind) {
    case 'admitted':
      return admission;
    case 'not-allowed':
      return 404;
    case 'unknown':
      // Counted only here: what others guess locks nobody out who has the right one.
      if (wrongSecrets.areTooMany) return 429;
      if (secret !== undefined) wrongSecrets.note();
      return 401;
  }
}

/** Guesses of the last minute. */
export class WrongSecrets {
  #times: number[] = [];

  get areTooMany(): boolean {
    const since = performance.now() - 60_000;
    this.#times = this.#times.filter((time) => time > since);
    return this.#times.length >= gatewayHttp.wrongSecrets;
  }

  note(): void {
    this.#times.push(performance.now());
  }
}
