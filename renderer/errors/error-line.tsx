import type { PlainError } from '../../shared/error-codes.ts';
import { FieldError } from '../parts/field-error.tsx';
import { words } from '../words.ts';

/** What went wrong and the next step, in the one line that a toast has room for. */
export function ErrorLine({ error }: { readonly error: PlainError }) {
  const { serverWords } = error;
  const said = serverWords ? `${words.errors.serverWords} “${serverWords.message}” ` : '';
  return <FieldError>{`${words.errors.message(error)} ${said}${words.errors.nextStep(error.remedy)}`}</FieldError>;
}
