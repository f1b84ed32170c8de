import { useEffect } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { MadeChanges } from '../programs/made-changes.tsx';
import { UseInPrograms } from '../programs/use-in-programs.tsx';
import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';

/** Which programs use this server. */
export function UseTab({ integration }: { readonly integration: IntegrationView }) {
  const programs = useSnapshots((state) => state.programs);
  useEffect(() => {
    // One may have been installed meanwhile.
    void postern.program.find();
  }, []);
  return (
    <div className="stack measure">
      <p className="soft">{words.programs.useIntro}</p>
      <MadeChanges integration={integration.id} />
      {programs === undefined && <p role="status">{words.programs.looking}</p>}
      {programs?.length === 0 && (
        <div className="stack-tight">
          <p>{words.programs.none}</p>
          <p className="soft">{words.programs.noneNext}</p>
          <div>
            <Button onClick={() => void postern.program.find()}>{words.programs.lookAgain}</Button>
          </div>
        </div>
      )}
      {programs !== undefined && programs.length > 0 && <UseInPrograms integration={integration} programs={programs} />}
    </div>
  );
}
