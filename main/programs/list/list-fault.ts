/** Why a text cannot be used: it is not valid in its format, or valid and of a kind that is not changed safely. */
export class ListFault extends Error {
  override readonly name = 'ListFault';
  readonly kind: 'damaged' | 'layout';

  constructor(kind: 'damaged' | 'layout', cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** Errors of a parser, which may be any, and a text that is nested too deeply for it. */
export function asDamage<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ListFault) throw error;
    throw new ListFault('damaged', error);
  }
}
