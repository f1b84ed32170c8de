import { useEffect, useRef } from 'react';
import { Notice } from '../parts/notice.tsx';
import { Button } from '../parts/button.tsx';
import { flash, useView } from '../view.ts';
import { words } from '../words.ts';

/** What was done, once, where the person is looking. */
export function Flash() {
  const [first, ...more] = useView((state) => state.flash);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (first !== undefined) place.current?.scrollIntoView({ block: 'nearest' });
  }, [first]);
  return (
    <div role="status" ref={place}>
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
