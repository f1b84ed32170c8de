import { fitsField } from '../../shared/question-field.ts';
import type { FieldValue, QuestionField } from '../../shared/question-field.ts';

/** What a field holds: text, or the indices of what is chosen from a list. */
export type QuestionDraft = Readonly<Record<string, string | readonly number[]>>;
export type QuestionFault = 'needed' | 'misfit';

export interface ReadQuestion {
  readonly content: Record<string, FieldValue>;
  /** By the name of the field. */
  readonly faults: Readonly<Record<string, QuestionFault | undefined>>;
}

export function startDraft(fields: readonly QuestionField[]): QuestionDraft {
  return Object.fromEntries(fields.map((field) => [field.name, startOf(field)]));
}

function startOf(field: QuestionField): string | readonly number[] {
  if (field.kind === 'choices') {
    const { initial = [], choices } = field;
    return choices.flatMap(({ value }, index) => (initial.includes(value) ? [index] : []));
  }
  if (field.initial === undefined) return '';
  if (field.kind === 'choice') return String(field.choices.findIndex(({ value }) => value === field.initial));
  return String(field.initial);
}

/** Leaves out optional fields that are empty. */
export function readQuestion(fields: readonly QuestionField[], draft: QuestionDraft): ReadQuestion {
  const content: Record<string, FieldValue> = {};
  const faults: Record<string, QuestionFault> = {};
  for (const field of fields) {
    const entered = draft[field.name] ?? '';
    const value = valueOf(field, entered);
    if (entered.length === 0) {
      if (field.required) faults[field.name] = 'needed';
    } else if (fitsField(field, value)) content[field.name] = value;
    else faults[field.name] = 'misfit';
  }
  return { content, faults };
}

function valueOf(field: QuestionField, entered: string | readonly number[]): unknown {
  if (typeof entered !== 'string')
    return field.kind === 'choices' ? entered.map((index) => field.choices[index]?.value) : undefined;
  switch (field.kind) {
    case 'number':
      return entered.trim() === '' ? undefined : Number(entered);
    case 'boolean':
      return entered === 'true';
    case 'choice':
      return field.choices[Number(entered)]?.value;
    default:
      return entered;
  }
}
