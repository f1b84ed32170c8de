/** An authorization server's record of one sign-in. */
export interface Grant {
  readonly id: string;
  /** Generation of the current pair; each rotation adds one. */
  generation: number;
  isRevoked: boolean;
  /** The newest pair has been used. */
  isUsed: boolean;
  /** How often each refresh token was presented, by generation. */
  readonly presented: Map<number, number>;
}

type SavedGrant = Omit<Grant, 'presented'> & { readonly presented: readonly [number, number][] };

export interface IssuedPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly grant: Grant;
}

/**
 * Grants whose refresh tokens rotate with every use; reusing one ends its grant (RFC 9700 section 4.14.2). Tokens have
 * readable names, so that failing tests are easy to understand.
 */
export class RotatingGrants {
  readonly grants = new Map<string, Grant>();
  /** Grants that ended because of a reused refresh token: its generation. */
  readonly reuses: { readonly grant: Grant; readonly generation: number }[] = [];
  readonly #isGraceful: boolean;

  /** `isGraceful`: a used refresh token returns the same new pair again, until that pair has been used. */
  constructor(isGraceful = false) {
    this.#isGraceful = isGraceful;
  }

  begin(id: string): IssuedPair {
    const grant: Grant = { id, generation: 1, isRevoked: false, isUsed: true, presented: new Map() };
    this.grants.set(id, grant);
    return pairOf(grant);
  }

  /** `undefined` means `invalid_grant`. */
  refresh(refreshToken: string): IssuedPair | undefined {
    const found = this.#find('r', refreshToken);
    if (!found) return undefined;
    const { grant, generation } = found;
    grant.presented.set(generation, (grant.presented.get(generation) ?? 0) + 1);
    if (grant.isRevoked) return undefined;
    if (this.#isGraceful && generation === grant.generation - 1 && !grant.isUsed) return pairOf(grant);
    if (generation !== grant.generation) {
      grant.isRevoked = true;
      this.reuses.push({ grant, generation });
      return undefined;
    }
    grant.generation += 1;
    grant.isUsed = false;
    return pairOf(grant);
  }

  /** Whether an access token belongs to the current pair. */
  accepts(accessToken: string): boolean {
    const found = this.#find('a', accessToken);
    const isAccepted = found !== undefined && !found.grant.isRevoked && found.generation === found.grant.generation;
    if (isAccepted) found.grant.isUsed = true;
    return isAccepted;
  }

  /** A copy of every grant, for `restore`. */
  save(): readonly SavedGrant[] {
    return [...this.grants.values()].map((grant) => ({ ...grant, presented: [...grant.presented] }));
  }

  restore(saved: readonly SavedGrant[]): void {
    this.grants.clear();
    this.reuses.length = 0;
    for (const grant of saved) this.grants.set(grant.id, { ...grant, presented: new Map(grant.presented) });
  }

  #find(kind: 'a' | 'r', token: string): { grant: Grant; generation: number } | undefined {
    const [, tokenKind, id = '', generation] = /^([ar]):(.+):(\d+)$/.exec(token) ?? [];
    const grant = tokenKind === kind ? this.grants.get(id) : undefined;
    return grant && { grant, generation: Number(generation) };
  }
}

function pairOf(grant: Grant): IssuedPair {
  const name = `${grant.id}:${grant.generation}`;
  return { accessToken: `a:${name}`, refreshToken: `r:${name}`, grant };
}
