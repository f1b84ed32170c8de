import { useState } from 'react';
import type { ProgramPreviews } from '../../shared/program-view.ts';
import { postern } from '../postern.ts';
import { PreviewDialog } from '../programs/preview-dialog.tsx';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { PortForm } from './port-form.tsx';

/** The port stands in entries of programs, which are shown and renewed before it changes. */
export function GatewayPortForm({ port }: { readonly port: number }) {
  const [asked, setAsked] = useState<{ readonly port: number; readonly found: ProgramPreviews }>();
  const looking = useCall<ProgramPreviews>();
  const saving = useCall<null>();
  const save = async (gatewayPort: number): Promise<void> => {
    setAsked(undefined);
    await saving.run(() => postern.settings.update({ gatewayPort }));
  };
  const ask = async (wanted: number): Promise<void> => {
    const found = await looking.run(() => postern.program.previewPort({ port: wanted }));
    if (!found) return;
    if (found.previews.length === 0 && found.refused.length === 0) await save(wanted);
    else setAsked({ port: wanted, found });
  };
  return (
    <>
      <PortForm
        id="settings-gateway-port"
        place="gateway port"
        label={words.settings.gatewayPort}
        hint={words.settings.gatewayPortHint}
        port={port}
        busy={looking.busy || saving.busy}
        failure={looking.error ?? saving.error}
        onPort={(wanted) => void ask(wanted)}
      />
      {asked && (
        <PreviewDialog
          title={words.settings.gatewayPortRenew}
          shown={asked.found}
          onClose={() => setAsked(undefined)}
          onDone={() => void save(asked.port)}
        />
      )}
    </>
  );
}
