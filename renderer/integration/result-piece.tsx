import type { ContentView } from '../../shared/mcp-view.ts';
import { perLocale } from '../locale.ts';
import { words } from '../words.ts';
import { DataView } from './data-view.tsx';
import { DrawnPicture } from './drawn-picture.tsx';
import { readMarkdown } from './markdown.ts';
import { MarkdownView } from './markdown-view.tsx';
import { OutsideLink } from './outside-link.tsx';
import { SaveButton } from './save-button.tsx';
import { SoundButton } from './sound-button.tsx';

interface ResultPieceProps {
  readonly call: string;
  /** Its place in the result. */
  readonly index: number;
  readonly piece: ContentView;
  /** As it came, not made readable. */
  readonly asSent: boolean;
}

const size = perLocale(
  (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 }),
);

export function ResultPiece({ call, index, piece, asSent }: ResultPieceProps) {
  switch (piece.type) {
    case 'text': {
      const blocks = asSent ? undefined : readMarkdown(piece.text);
      return (
        <>
          {blocks ? <MarkdownView call={call} blocks={blocks} /> : <pre className="result-text">{piece.text}</pre>}
          {piece.cut && <p className="faint small">{words.tools.cut}</p>}
        </>
      );
    }
    case 'link':
      return (
        <p>
          <OutsideLink call={call} text={piece.name} url={piece.uri} />
        </p>
      );
    case 'binary': {
      const { kind, mimeType } = piece;
      const label = words.tools.binary(words.tools.binaryKinds[kind], mimeType, size().format(piece.size / 1_000));
      return (
        <>
          {kind === 'image' && piece.data !== undefined && <DrawnPicture data={piece.data} label={label} />}
          <div className="row">
            <span className="soft">{label}</span>
            {kind === 'audio' && piece.data !== undefined && <SoundButton data={piece.data} label={label} />}
            <SaveButton call={call} piece={index} />
          </div>
        </>
      );
    }
    case 'json':
      return (
        <>
          {asSent ? (
            <pre className="result-text">{JSON.stringify(piece.json, null, 2)}</pre>
          ) : (
            <DataView data={piece.json} counts={piece.cut} />
          )}
          {piece.cut && <p className="faint small">{words.tools.cut}</p>}
        </>
      );
  }
}

/** Whether it is shown otherwise than it came. */
export function isMadeReadable(piece: ContentView): boolean {
  return piece.type === 'json' || (piece.type === 'text' && readMarkdown(piece.text) !== undefined);
}
