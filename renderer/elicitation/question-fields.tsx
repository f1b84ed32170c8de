import { useId } from 'react';
import { isValidAnswer } from '../../shared/question-field.ts';
import type { FieldBounds, FieldValue, QuestionField } from '../../shared/question-field.ts';
import type { Shape } from '../integration/schema-fields.ts';
import '../integration/schema-input.css';
import { LeafInput } from '../integration/schema-input.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { FieldError } from '../components/field.tsx';
import { words } from '../words.ts';

interface QuestionFieldsProps {
  readonly fields: readonly QuestionField[];
  readonly draft: QuestionDraft;
  readonly faults: ReadQuestion['faults'];
  readonly onChange: (draft: QuestionDraft) => void;
}

/** One input per value of an elicitation form. */
export function QuestionFields({ fields, draft, faults, onChange }: QuestionFieldsProps) {
  return fields.map((field) => {
    const entered = draft[field.name] ?? '';
    const enter = (value: string | readonly number[]): void => onChange({ ...draft, [field.name]: value });
    if (field.kind === 'choices')
      return (
        <Choices
          key={field.name}
          field={field}
          chosen={typeof entered === 'string' ? [] : entered}
          fault={faults[field.name]}
          onChoose={enter}
        />
      );
    return (
      <LeafInput
        key={field.name}
        field={{ ...field, description: hintOf(field), nullable: false, shape: shapeOf(field), initial: undefined }}
        label={field.label}
        value={typeof entered === 'string' ? entered : ''}
        asJson={false}
        fault={faults[field.name]}
        onChange={enter}
      />
    );
  });
}

interface ChoicesProps {
  readonly field: Extract<QuestionField, { kind: 'choices' }>;
  readonly chosen: readonly number[];
  readonly fault: QuestionFault | undefined;
  readonly onChoose: (chosen: readonly number[]) => void;
}

/** Multiple choice. */
function Choices({ field, chosen, fault, onChoose }: ChoicesProps) {
  const id = useId();
  const hint = hintOf(field);
  const described = [fault && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <fieldset className={`schema-nest${fault ? ' wrong' : ''}`} aria-describedby={described || undefined}>
      <legend>
        {field.label} {!field.required && <span className="faint small">{words.common.optional}</span>}
      </legend>
      {field.choices.map(({ label }, index) => (
        <CheckBox
          key={index}
          label={label}
          checked={chosen.includes(index)}
          onChange={(isOn) =>
            onChoose(isOn ? [...chosen, index].toSorted((a, b) => a - b) : chosen.filter((one) => one !== index))
          }
        />
      ))}
      {fault && <FieldError id={`${id}-error`}>{words.tools[fault]}</FieldError>}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}

function shapeOf(field: Exclude<QuestionField, { kind: 'choices' }>): Shape {
  switch (field.kind) {
    case 'text': {
      const { format, most = 0 } = field;
      return {
        kind: 'text',
        long: most > 200,
        filled: false,
        format: format === 'date-time' ? 'plain' : (format ?? 'plain'),
      };
    }
    case 'number':
      return { kind: 'number', whole: field.whole };
    case 'boolean':
      return { kind: 'boolean' };
    case 'choice':
      return { kind: 'choice', choices: field.choices.map(({ label }, index) => ({ value: String(index), label })) };
  }
}

/** The server's description, plus the accepted format. */
function hintOf(field: QuestionField): string | undefined {
  const { formats, pattern, whole, range } = words.questions;
  const { least, most } = field as QuestionField & FieldBounds;
  const parts = [
    field.description,
    field.kind === 'text' && field.format && formats[field.format],
    field.kind === 'text' && field.pattern !== undefined && pattern(field.pattern),
    field.kind === 'number' && field.whole && whole,
    (least !== undefined || most !== undefined) && range(field.kind, least, most),
  ];
  const text = parts.filter(Boolean).join(' ');
  return text === '' ? undefined : text;
}

/** Value of a field: text, or indexes of the chosen options. */
type QuestionDraft = Readonly<Record<string, string | readonly number[]>>;
type QuestionFault = 'required' | 'invalidValue';

interface ReadQuestion {
  readonly content: Record<string, FieldValue>;
  /** By field name. */
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

/** Omits optional fields that are empty. */
export function readQuestion(fields: readonly QuestionField[], draft: QuestionDraft): ReadQuestion {
  const content: Record<string, FieldValue> = {};
  const faults: Record<string, QuestionFault> = {};
  for (const field of fields) {
    const entered = draft[field.name] ?? '';
    const value = valueOf(field, entered);
    if (entered.length === 0) {
      if (field.required) faults[field.name] = 'required';
    } else if (isValidAnswer(field, value)) content[field.name] = value;
    else faults[field.name] = 'invalidValue';
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
