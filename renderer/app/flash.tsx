import { Button } from '../parts/button.tsx';
import { Toast, ToastPlace } from '../parts/toast.tsx';
import { HeldLink } from '../links/held-link.tsx';
import { LostLink } from '../links/lost-link.tsx';
import { useSnapshots } from '../store.ts';
import { endFlash, useView } from '../view.ts';
import { words } from '../words.ts';
import { DeletionToast } from './deletion-toast.tsx';
import { StandingToasts } from './standing-toasts.tsx';

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
