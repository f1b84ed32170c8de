import { useId } from 'react';
import type { FieldBounds, QuestionField } from '../../shared/question-field.ts';
import { LeafInput } from '../integration/leaf-input.tsx';
import type { Shape } from '../integration/schema-fields.ts';
import '../integration/schema-input.css';
import { CheckBox } from '../parts/check-box.tsx';
import { FieldError } from '../parts/field-error.tsx';
import { words } from '../words.ts';
import type { QuestionDraft, QuestionFault, ReadQuestion } from './question-draft.ts';

interface QuestionFieldsProps {
  readonly fields: readonly QuestionField[];
  readonly draft: QuestionDraft;
  readonly faults: ReadQuestion['faults'];
  readonly onChange: (draft: QuestionDraft) => void;
}

/** One input for each value that a server asks for. */
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

/** Several of a list. */
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

/** What the server says of the field, and what it takes. */
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
