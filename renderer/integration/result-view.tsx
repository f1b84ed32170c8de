import { useState } from 'react';
import type { ContentView } from '../../shared/mcp-view.ts';
import { Button } from '../parts/button.tsx';
import { words } from '../words.ts';
import { DataView } from './data-view.tsx';
import type { OfferResult } from './try-offer.ts';
import type { JsonValue } from './resolve-schema.ts';

const size = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 });

/** What came back, made readable. Everything in it is a server's, so everything is text. */
export function ResultView({ result }: { readonly result: OfferResult }) {
  const [asText, setAsText] = useState(false);
  const hasData = result.parts.some(({ content }) => content.some((piece) => parseData(piece) !== undefined));
  const isEmpty = result.parts.every(({ content }) => content.length === 0);
  return (
    <section className={`result${result.isError ? ' failed' : ''}`} aria-label={words.tools.result} aria-live="polite">
      <header className="row">
        <h3>{result.isError ? words.tools.failed : words.tools.result}</h3>
        {hasData && (
          <Button kind="quiet" className="push" aria-pressed={asText} onClick={() => setAsText(!asText)}>
            {words.tools.asJson}
          </Button>
        )}
      </header>
      {isEmpty && <p className="soft">{words.tools.empty}</p>}
      {result.parts.map(({ role, content }, part) => (
        <div className="stack-tight" key={part}>
          {role && <p className="faint small">{words.tools.roles[role]}</p>}
          {content.map((piece, index) => (
            <Piece key={index} piece={piece} asText={asText} />
          ))}
        </div>
      ))}
    </section>
  );
}

function Piece({ piece, asText }: { readonly piece: ContentView; readonly asText: boolean }) {
  const data = parseData(piece);
  if (data !== undefined) {
    return asText ? <pre className="result-text">{JSON.stringify(data, null, 2)}</pre> : <DataView data={data} />;
  }
  switch (piece.type) {
    case 'text':
      return (
        <>
          <pre className="result-text">{piece.text}</pre>
          {piece.cut && <p className="faint small">{words.tools.cut}</p>}
        </>
      );
    case 'link':
      return (
        <p>
          {piece.name} <span className="mono small soft">{piece.uri}</span>
        </p>
      );
    case 'binary':
      return (
        <p className="soft">
          {words.tools.binary(words.tools.binaryKinds[piece.kind], piece.mimeType, size.format(piece.size / 1_000))}
        </p>
      );
    case 'json':
      return null;
  }
}

/** Structure in a piece of a result: many servers send JSON as text. Plain words and numbers are left as they are. */
function parseData(piece: ContentView): JsonValue | undefined {
  if (piece.type === 'json') return piece.json;
  if (piece.type !== 'text' || piece.cut || !/^\s*[[{]/.test(piece.text)) return undefined;
  try {
    return JSON.parse(piece.text) as JsonValue;
  } catch {
    return undefined;
  }
}
