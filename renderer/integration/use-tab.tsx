import type { IntegrationView } from '../../shared/integration-view.ts';
import { FoundPrograms } from '../programs/found-programs.tsx';
import { MadeChanges } from '../programs/made-changes.tsx';
import { UseInPrograms } from '../programs/use-in-programs.tsx';
import { words } from '../words.ts';

/** Which programs use this server. */
export function UseTab({ integration }: { readonly integration: IntegrationView }) {
  return (
    <div className="stack measure">
      <p className="soft">{words.programs.useIntro}</p>
      <MadeChanges servers={[integration.id]} />
      <FoundPrograms>{(programs) => <UseInPrograms servers={[integration]} programs={programs} />}</FoundPrograms>
    </div>
  );
}
