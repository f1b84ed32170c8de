import { Notice } from '../parts/notice.tsx';
import { Button } from '../parts/button.tsx';
import { flash, useView } from '../view.ts';
import { words } from '../words.ts';

/** What was done, once, where the person is looking. */
export function Flash() {
  const [first, ...more] = useView((state) => state.flash);
  return (
    <div role="status">
      {first !== undefined && (
        <div className="bar">
          <Notice
            title={first}
            actions={
              <Button kind="quiet" onClick={() => flash()}>
                {words.common.dismiss}
              </Button>
            }
          >
            {more.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </Notice>
        </div>
      )}
    </div>
  );
}
