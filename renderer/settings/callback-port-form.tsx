import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { PortForm } from './port-form.tsx';

/** The port is registered with services. */
export function CallbackPortForm({ port }: { readonly port: number | undefined }) {
  const saving = useCall<null>();
  return (
    <PortForm
      place="callback port"
      label={words.settings.callbackPort}
      hint={words.settings.callbackPortHint}
      port={port}
      busy={saving.busy}
      failure={saving.error}
      onPort={(callbackPort) => void saving.run(() => postern.settings.update({ callbackPort }))}
    />
  );
}
