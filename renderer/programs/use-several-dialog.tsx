import { compareNames } from '../integrations/filter-integrations.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { endUse, useView } from '../view.ts';
import { words } from '../words.ts';
import { FoundPrograms } from './found-programs.tsx';
import { MadeChanges } from './made-changes.tsx';
import { nameOf, UseInPrograms } from './use-in-programs.tsx';
import { useUsed } from '../used-servers.ts';

/** Of more the number alone is said. */
const mostNamed = 12;

/** Which programs use the servers that were chosen together: one preview of all changes, and one undo. */
export function UseSeveralDialog() {
  const using = useView((state) => state.using);
  const servers = useUsed(using).toSorted((one, other) => compareNames(one.name, other.name));
  if (servers.length === 0) return null;
  return (
    <Dialog
      wide
      open
      title={words.programs.offer(nameOf(servers))}
      description={words.programs.useSeveralIntro}
      onClose={endUse}
      footer={<Button onClick={endUse}>{words.common.close}</Button>}
    >
      <div className="stack">
        {servers.length > 1 && servers.length <= mostNamed && (
          <p className="soft">{servers.map(({ name }) => name).join(', ')}</p>
        )}
        <MadeChanges servers={servers.map(({ id }) => id)} />
        <FoundPrograms>{(programs) => <UseInPrograms servers={servers} programs={programs} />}</FoundPrograms>
      </div>
    </Dialog>
  );
}
