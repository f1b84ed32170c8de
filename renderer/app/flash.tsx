import { Button } from '../parts/button.tsx';
import { Toast } from '../parts/toast.tsx';
import { flash, useView } from '../view.ts';
import { words } from '../words.ts';

/** What was done, once, until the person looks elsewhere. */
export function Flash() {
  const sentences = useView((state) => state.flash);
  if (sentences.length === 0) return <Toast />;
  return (
    <Toast
      actions={
        <Button kind="quiet" onClick={() => flash()}>
          {words.common.dismiss}
        </Button>
      }
    >
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Toast>
  );
}
