import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';
import { firstPieces } from './first-pieces.ts';
import { isMadeReadable, ResultPiece } from './result-piece.tsx';
import { SaveButton } from './save-button.tsx';
import type { OfferResult } from './try-offer.ts';
import './result.css';

/** What came back, made readable. Everything in it is a server's, so everything is text, or drawn. */
export function ResultView({ call, result }: { readonly call: string; readonly result: OfferResult }) {
  const [asSent, setAsSent] = useState(false);
  const pieces = result.parts.flatMap(({ content }) => content);
  const { parts, more } = firstPieces(result);
  const hasText = pieces.some(({ type }) => type === 'text' || type === 'json');
  const copy = (): Promise<boolean> => postern.result.copy({ call }).then(({ ok }) => ok);
  return (
    <section className={`result${result.isError ? ' failed' : ''}`} aria-label={words.tools.result} aria-live="polite">
      <header className="row result-head">
        <h3>{result.isError ? words.tools.failed : words.tools.result}</h3>
        <span className="push" />
        {parts.some((part) => part.pieces.some(({ piece }) => isMadeReadable(piece))) && (
          <Button kind="quiet" aria-pressed={asSent} onClick={() => setAsSent(!asSent)}>
            {words.tools.asSent}
          </Button>
        )}
        {hasText && <CopyButton onCopy={copy} />}
        {hasText && <SaveButton call={call} />}
      </header>
      {pieces.length === 0 && <p className="soft">{words.tools.empty}</p>}
      {parts.map((part, index) => (
        <div className="stack-tight" key={index}>
          {part.role && <p className="faint small">{words.tools.roles[part.role]}</p>}
          {part.pieces.map(({ piece, place }) => (
            <ResultPiece key={place} call={call} index={place} piece={piece} asSent={asSent} />
          ))}
        </div>
      ))}
      {more > 0 && <p className="faint small">{words.tools.morePieces(more, hasText)}</p>}
    </section>
  );
}
