import { Button } from '../parts/button.tsx';
import { FieldError } from '../parts/field-error.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

/** Without `piece`, all that is text in the result. */
export function SaveButton({ call, piece }: { readonly call: string; readonly piece?: number }) {
  const save = useCall<{ readonly saved: boolean }>();
  const run = (): void => void save.run(() => postern.result.save({ call, ...(piece !== undefined && { piece }) }));
  return (
    <>
      <Button kind="quiet" busy={save.busy} onClick={run}>
        {words.tools.saveAs}
      </Button>
      <span className="soft small" role="status">
        {save.value?.saved === true && words.common.saved}
      </span>
      {save.error && <FieldError>{words.errors.message(save.error)}</FieldError>}
    </>
  );
}
