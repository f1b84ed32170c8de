import { useEffect } from 'react';
import type { ReactNode } from 'react';
import type { ProgramView } from '../../shared/program-view.ts';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';

/** The programs on this computer, looked for again; without any, what to do about it. */
export function FoundPrograms({ children }: { readonly children: (programs: readonly ProgramView[]) => ReactNode }) {
  const programs = useSnapshots((state) => state.programs);
  useEffect(() => {
    // One may have been installed meanwhile.
    void postern.program.find();
  }, []);
  if (programs === undefined) return <p role="status">{words.programs.looking}</p>;
  if (programs.length > 0) return children(programs);
  return (
    <div className="stack-tight">
      <p>{words.programs.none}</p>
      <p className="soft">{words.programs.noneNext}</p>
      <div>
        <Button onClick={() => void postern.program.find()}>{words.programs.lookAgain}</Button>
      </div>
    </div>
  );
}
