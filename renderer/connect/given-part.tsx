import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { draftOf } from './use-local-draft.ts';
import type { LocalDraft } from './use-local-draft.ts';
import type { GivenNote } from './use-given.ts';

interface GivenPartProps {
  readonly note: GivenNote;
  readonly onChoose: (url: string) => void;
  /** Goes on with a command. */
  readonly onLocal: (draft: Partial<LocalDraft>) => void;
}

/** What was given leads to no check, or not to one alone: why, and what to do next. */
export function GivenPart({ note, onChoose, onLocal }: GivenPartProps) {
  const { given } = words.connect;
  switch (note.kind) {
    case 'known':
      return (
        <Notice
          urgent
          title={words.connect.known(note.integration.name)}
          actions={
            <>
              <Button kind="primary" onClick={() => showIntegration(note.integration.id)}>
                {words.connect.openKnown}
              </Button>
              <Button onClick={note.goOn}>{given.another}</Button>
            </>
          }
        />
      );
    case 'several':
      return (
        <Notice
          urgent
          title={given.several}
          actions={note.urls.map((url) => (
            <Button key={url} onClick={() => onChoose(url)}>
              {url}
            </Button>
          ))}
        />
      );
    case 'local':
      return (
        <Notice
          urgent
          title={given.local(note.program)}
          actions={<Button onClick={() => onLocal(draftOf(note.text, note.program))}>{given.localLook}</Button>}
        >
          <p>{given.localMore}</p>
        </Notice>
      );
    case 'unknownName':
      return (
        <Notice urgent tone="ask" title={given.unknownName(note.name)}>
          <p>{given.unknownNameMore}</p>
        </Notice>
      );
    case 'text':
      return (
        <Notice urgent tone="ask" title={given.text}>
          <p>{given.textMore}</p>
        </Notice>
      );
  }
}
