import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { words } from '../words.ts';
import type { EndpointMistakes, TypedEndpoints } from './typed-endpoints.ts';

interface EndpointFieldsProps {
  readonly values: TypedEndpoints;
  readonly onChange: (values: TypedEndpoints) => void;
  readonly mistakes?: EndpointMistakes | undefined;
  /** What holds while nothing is typed. */
  readonly inUse?: TypedEndpoints | undefined;
  readonly hint?: string;
  readonly autoFocus?: boolean;
}

/** Where the sign-in page and the tokens are, for a service that publishes neither, or the wrong ones. */
export function EndpointFields({ values, onChange, mistakes, inUse, hint, autoFocus = false }: EndpointFieldsProps) {
  return (
    <>
      {(['authorization', 'token'] as const).map((name) => {
        const mistake = mistakes?.[name];
        return (
          <Field
            key={name}
            label={words.endpoints[name]}
            hint={name === 'token' ? hint : undefined}
            error={mistake && words.endpoints.mistakes[mistake]}
          >
            {(control) => (
              <TextInput
                {...control}
                inputMode="url"
                autoFocus={autoFocus && name === 'authorization'}
                maxLength={2_048}
                value={values[name]}
                placeholder={inUse?.[name] ?? words.endpoints.example[name]}
                onChange={(event) => onChange({ ...values, [name]: event.target.value })}
              />
            )}
          </Field>
        );
      })}
    </>
  );
}
