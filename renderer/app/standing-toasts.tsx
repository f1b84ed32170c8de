import { useSnapshots } from '../store.ts';
import { BackgroundToast } from './background-toast.tsx';
import { SandboxToast } from './sandbox-toast.tsx';
import { StorageToast } from './storage-toast.tsx';
import { UpdateToast } from './update-toast.tsx';

/** What concerns all of Postern, the gravest first. One is shown at a time; the next comes when it has gone. */
export function StandingToasts() {
  const app = useSnapshots((state) => state.app);
  if (app === undefined) return null;
  return (
    <div className="toasts-standing">
      <StorageToast app={app} />
      <SandboxToast app={app} />
      <BackgroundToast app={app} />
      <UpdateToast app={app} />
    </div>
  );
}
