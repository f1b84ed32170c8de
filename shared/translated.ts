/**
 * The same table in another language: every key of the English one, each sentence a sentence, each function one that
 * takes the same values.
 */
export type Translated<Table> = Table extends string
  ? string
  : Table extends (...values: infer Values) => infer Said
    ? (...values: Values) => Translated<Said>
    : { readonly [Key in keyof Table]: Translated<Table[Key]> };
