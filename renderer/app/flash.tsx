import { Button } from '../parts/button.tsx';
import { Toast, ToastPlace } from '../parts/toast.tsx';
import { HeldLink } from '../links/held-link.tsx';
import { LostLink } from '../links/lost-link.tsx';
import { useSnapshots } from '../store.ts';
import { endFlash, useView } from '../view.ts';
import { words } from '../words.ts';
import { BackgroundToast } from './background-toast.tsx';
import { DeletionToast } from './deletion-toast.tsx';
import { SandboxToast } from './sandbox-toast.tsx';
import { StorageToast } from './storage-toast.tsx';
import { UpdateToast } from './update-toast.tsx';

/** What stands, and what was done, once, until the person looks elsewhere. */
export function Flash() {
  const sentences = useView((state) => state.flash)().filter((sentence) => sentence !== '');
  const deletions = useSnapshots((state) => state.deletions);
  return (
    <ToastPlace>
      <StandingToasts />
      {deletions?.map((deletion) => (
        <DeletionToast key={deletion.id} deletion={deletion} />
      ))}
      <HeldLink />
      <LostLink />
      {sentences.length > 0 && (
        <Toast
          actions={
            <Button kind="quiet" onClick={endFlash}>
              {words.common.dismiss}
            </Button>
          }
        >
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Toast>
      )}
    </ToastPlace>
  );
}

/** What concerns all of Postern, the gravest first. One is shown at a time; the next comes when it has gone. */
function StandingToasts() {
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
