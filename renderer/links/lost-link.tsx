import { Button } from '../parts/button.tsx';
import { Toast } from '../parts/toast.tsx';
import { useView } from '../view.ts';
import { words } from '../words.ts';

/** Of a link that led nowhere. It has a place of its own: any page can send one, and Postern has more to say. */
export function LostLink() {
  const lost = useView((state) => state.lostLink);
  if (!lost) return null;
  return (
    <Toast
      actions={
        <Button kind="quiet" onClick={() => useView.setState({ lostLink: undefined })}>
          {words.common.dismiss}
        </Button>
      }
    >
      <p>{words.link[lost]}</p>
      <p>{words.link[`${lost}More`]}</p>
    </Toast>
  );
}
