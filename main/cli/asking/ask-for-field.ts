import { fitsField } from '../../../shared/question-field.ts';
import type { FieldValue, QuestionField } from '../../../shared/question-field.ts';
import type { StdinLines } from '../terminal/stdin-lines.ts';
import { printableLine } from '../text/printable.ts';

/** The person says no to the whole question. */
export const declined = Symbol('declined');
/** What was entered; no value means that it is left out. */
export interface AskedField {
  readonly value: FieldValue | undefined;
}

/** Asks until the answer fits. `undefined`: the input has ended. */
export async function askForField(
  { prompt, stdin }: { readonly prompt: (text: string) => void; readonly stdin: StdinLines },
  field: QuestionField,
  signal: AbortSignal,
): Promise<AskedField | typeof declined | undefined> {
  if (field.description !== undefined) prompt(`${printableLine(field.description, 400)}\n`);
  if ('choices' in field) {
    field.choices.forEach(({ label }, index) => prompt(`  ${index + 1}) ${printableLine(label, 80)}\n`));
  }
  const preset = field.initial === undefined ? '' : ` [${printableLine(String(field.initial), 60)}]`;
  for (;;) {
    prompt(`${printableLine(field.label, 80)} (${describeDemand(field)})${preset}: `);
    const line = await stdin.next(signal);
    if (line === undefined) return undefined;
    const typed = line.trim();
    if (typed.toLowerCase() === 'decline') return declined;
    const isEmpty = typed === '';
    if (isEmpty && (field.initial !== undefined || !field.required)) return { value: field.initial };
    const value = isEmpty ? undefined : readTyped(field, typed);
    if (fitsField(field, value)) return { value };
    prompt(isEmpty ? 'This is needed.\n' : 'That does not fit.\n');
  }
}

function readTyped(field: QuestionField, typed: string): unknown {
  switch (field.kind) {
    case 'text':
      return typed;
    case 'number':
      return Number(typed);
    case 'boolean':
      if (/^(?:y|yes|true)$/iu.test(typed)) return true;
      return /^(?:n|no|false)$/iu.test(typed) ? false : undefined;
    case 'choice':
      return chosen(field.choices, typed);
    case 'choices':
      return typed.split(',').map((one) => chosen(field.choices, one.trim()));
  }
}

/** By its number, or by what it is called. */
function chosen(choices: Extract<QuestionField, { kind: 'choice' }>['choices'], typed: string): string | undefined {
  const numbered = /^\d{1,4}$/u.test(typed) ? choices[Number(typed) - 1] : undefined;
  return (numbered ?? choices.find(({ value, label }) => typed === value || typed === label))?.value;
}

function describeDemand(field: QuestionField): string {
  const parts = [demandOf(field), rangeOf(field), field.required ? '' : 'optional'];
  if (field.kind === 'text' && field.pattern !== undefined)
    parts.splice(1, 0, `as ${printableLine(field.pattern, 120)}`);
  return parts.filter((part) => part !== '').join(', ');
}

const formats = {
  email: 'an email address',
  uri: 'an address',
  date: 'a date, as 2027-05-31',
  'date-time': 'a time, as 2027-05-31T09:30:00Z',
};

function demandOf(field: QuestionField): string {
  switch (field.kind) {
    case 'text':
      return field.format ? formats[field.format] : 'text';
    case 'number':
      return field.whole ? 'a whole number' : 'a number';
    case 'boolean':
      return 'yes or no';
    case 'choice':
      return 'a number of the list';
    case 'choices':
      return 'numbers of the list, with commas';
  }
}

function rangeOf(field: QuestionField): string {
  if (!('least' in field || 'most' in field)) return '';
  const { least, most } = field;
  const unit = field.kind === 'text' ? ' characters' : '';
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  return least === undefined ? `at most ${most}${unit}` : `at least ${least}${unit}`;
}
