import { Play, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { ContentView, UnusablePart } from '../../shared/mcp-view.ts';
import { bytesOf } from '../components/picture-tile.tsx';
import { Button, CopyButton } from '../components/button.tsx';
import { HostName } from '../components/facts.tsx';
import { FieldError } from '../components/field.tsx';
import { postern, useCall } from '../postern.ts';
import { perLocale, words } from '../words.ts';
import { DataView } from './data-view.tsx';
import { outsideAddress, readMarkdown } from './markdown.ts';
import type { Block, Span } from './markdown.ts';
import { firstPieces } from './result-bounds.ts';
import './result.css';
import type { CapabilityResult } from './runs.ts';

/** A readable result. All of it is untrusted, so it is only ever text or drawn pixels. */
export function ResultView({ call, result }: { readonly call: string; readonly result: CapabilityResult }) {
  const [isRaw, setRaw] = useState(false);
  const pieces = result.parts.flatMap(({ content }) => content);
  const { parts, more } = firstPieces(result);
  const hasText = pieces.some(({ type }) => type === 'text' || type === 'json');
  const copy = (): Promise<boolean> => postern.result.copy({ call }).then(({ ok }) => ok);
  return (
    <section className={`result${result.isError ? ' failed' : ''}`} aria-label={words.tools.result} aria-live="polite">
      <header className="row result-head">
        <h3>{result.isError ? words.tools.failed : words.tools.result}</h3>
        <span className="push" />
        {parts.some((part) => part.pieces.some(({ piece }) => hasReadableView(piece))) && (
          <Button kind="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            {words.tools.raw}
          </Button>
        )}
        {hasText && <CopyButton onCopy={copy} />}
        {hasText && <SaveButton call={call} />}
      </header>
      {result.meant !== undefined && <p>{words.tools.didYouMean(result.meant)}</p>}
      {pieces.length === 0 && <p className="soft">{words.tools.empty}</p>}
      {parts.map((part, partIndex) => (
        <div className="stack-tight" key={partIndex}>
          {part.role && <p className="faint small">{words.tools.roles[part.role]}</p>}
          {part.pieces.map(({ piece, index }) => (
            <ResultPiece key={index} call={call} index={index} piece={piece} isRaw={isRaw} />
          ))}
        </div>
      ))}
      {more > 0 && <p className="faint small">{words.tools.morePieces(more, hasText)}</p>}
      <UnusableParts parts={result.unusable} />
    </section>
  );
}

/** Messages about invalid parts. */
const maxUnusable = 5;

/** Invalid parts of a server's list or result. */
export function UnusableParts({ parts = [] }: { readonly parts: readonly UnusablePart[] | undefined }) {
  if (parts.length === 0) return undefined;
  return (
    <div role="status">
      <ul className="soft">
        {parts.slice(0, maxUnusable).map((part) => (
          <li key={`${part.list} ${part.index} ${part.member}`}>{words.tools.unusable(part)}</li>
        ))}
      </ul>
    </div>
  );
}

interface ResultPieceProps {
  readonly call: string;
  /** Index in the whole result. */
  readonly index: number;
  readonly piece: ContentView;
  /** Raw, as received. */
  readonly isRaw: boolean;
}

const size = perLocale(
  (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 }),
);

function ResultPiece({ call, index, piece, isRaw }: ResultPieceProps) {
  switch (piece.type) {
    case 'text': {
      const blocks = isRaw ? undefined : readMarkdown(piece.text);
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
          {kind === 'image' && piece.data !== undefined && <ServerImage data={piece.data} label={label} />}
          <div className="row">
            <span className="soft">{label}</span>
            {kind === 'audio' && piece.data !== undefined && <AudioButton data={piece.data} label={label} />}
            <SaveButton call={call} piece={index} />
          </div>
        </>
      );
    }
    case 'json':
      return (
        <>
          {isRaw ? (
            <pre className="result-text">{JSON.stringify(piece.json, null, 2)}</pre>
          ) : (
            <DataView data={piece.json} counts={piece.cut} />
          )}
          {piece.cut && <p className="faint small">{words.tools.cut}</p>}
        </>
      );
  }
}

/** Whether the readable view differs from the raw one. */
function hasReadableView(piece: ContentView): boolean {
  return piece.type === 'json' || (piece.type === 'text' && readMarkdown(piece.text) !== undefined);
}

/** Without `piece`, saves all text of the result. */
function SaveButton({ call, piece }: { readonly call: string; readonly piece?: number }) {
  const save = useCall<{ readonly saved: boolean }>();
  const run = (): void => void save.run(() => postern.result.save({ call, ...(piece !== undefined && { piece }) }));
  return (
    <>
      <Button kind="quiet" busy={save.busy} onClick={run}>
        {words.tools.saveAs}
      </Button>
      <span className="soft small" role="status">
        {save.value?.saved === true && words.common.saved}
      </span>
      {save.error && <FieldError>{words.errors.message(save.error)}</FieldError>}
    </>
  );
}

interface ServerImageProps {
  /** Base64. Main has checked type and size. */
  readonly data: string;
  readonly label: string;
}

/**
 * An image from a server, decoded here in the sandbox and drawn to a canvas: the CSP lets no page load images from
 * outside the app, not even `data:`, and that must stay so.
 */
function ServerImage({ data, label }: ServerImageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    let isGone = false;
    const draw = async (): Promise<void> => {
      const picture = await createImageBitmap(new Blob([bytesOf(data)]));
      const { current } = canvas;
      if (!isGone && current) {
        current.width = picture.width;
        current.height = picture.height;
        current.getContext('2d')?.drawImage(picture, 0, 0);
      }
      picture.close();
    };
    draw().catch(() => !isGone && setIsBroken(true));
    return () => {
      isGone = true;
    };
  }, [data]);
  if (isBroken) return <p className="soft">{words.tools.broken(label)}</p>;
  return <canvas ref={canvas} className="picture" role="img" aria-label={label} />;
}

/** Samples per second; low, because a small file can be hours of silence. */
const sampleRate = 22_050;

/** Plays audio from a server on a click, from memory, since the CSP lets no page load audio. */
function AudioButton({ data, label }: { readonly data: string; readonly label: string }) {
  const playing = useRef<AudioContext>(undefined);
  const [state, setState] = useState<'silent' | 'playing' | 'broken'>('silent');
  const stop = (): void => {
    void playing.current?.close();
    playing.current = undefined;
  };
  useEffect(() => stop, []);
  const play = async (): Promise<void> => {
    const context = new AudioContext({ sampleRate });
    playing.current = context;
    setState('playing');
    try {
      const source = new AudioBufferSourceNode(context, {
        buffer: await context.decodeAudioData(bytesOf(data).buffer),
      });
      source.connect(context.destination);
      source.addEventListener('ended', () => setState('silent'));
      source.start();
    } catch {
      setState(playing.current === context ? 'broken' : 'silent');
    }
  };
  if (state === 'broken') return <p className="soft">{words.tools.broken(label)}</p>;
  const toggle = (): void => {
    if (state === 'silent') return void play();
    stop();
    setState('silent');
  };
  return (
    <Button icon={state === 'playing' ? Square : Play} onClick={toggle}>
      {state === 'playing' ? words.tools.stopSound : words.tools.play}
    </Button>
  );
}

/** Markdown blocks as React elements: the browser never parses a server's markup. */
function MarkdownView({ call, blocks }: { readonly call: string; readonly blocks: readonly Block[] }) {
  const spans = (line: readonly Span[]): ReactNode => <Spans call={call} spans={line} />;
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} spans={spans} />
      ))}
    </div>
  );
}

function BlockView({ block, spans }: { readonly block: Block; readonly spans: (line: readonly Span[]) => ReactNode }) {
  switch (block.kind) {
    case 'heading':
      return <h4>{spans(block.spans)}</h4>;
    case 'paragraph':
      return <p>{spans(block.spans)}</p>;
    case 'quote':
      return <blockquote>{spans(block.spans)}</blockquote>;
    case 'code':
      return <pre className="result-text">{block.text}</pre>;
    case 'rule':
      return <hr />;
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>{spans(item)}</li>
          ))}
        </List>
      );
    }
    case 'table': {
      const [head = [], ...rows] = block.rows;
      return (
        <div className="data-scroll" tabIndex={0} role="region" aria-label={words.tools.table}>
          <table className="data-table">
            <thead>
              <tr>
                {head.map((cell, index) => (
                  <th key={index} scope="col">
                    {spans(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, column) => (
                    <td key={column}>{spans(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    }
  }
}

function Spans({ call, spans }: { readonly call: string; readonly spans: readonly Span[] }) {
  return spans.map((span, index) => {
    switch (span.kind) {
      case 'text':
        return span.text;
      case 'code':
        return <code key={index}>{span.text}</code>;
      case 'strong':
        return <strong key={index}>{span.text}</strong>;
      case 'emphasis':
        return <em key={index}>{span.text}</em>;
      case 'link':
        return <OutsideLink key={index} call={call} text={span.text} url={span.url} />;
    }
  });
}

/** A link in a result: its text with the target host, opened in the browser only by a click. */
function OutsideLink({ call, text, url }: { readonly call: string; readonly text: string; readonly url: string }) {
  const address = outsideAddress(url);
  if (!address) return text === '' ? url : `${text} (${url})`;
  const { href, host } = address;
  const open = (): void => void postern.result.open({ call, url });
  return (
    <button
      type="button"
      className="outside-link"
      title={href}
      aria-label={words.tools.openLink(text, host)}
      onClick={open}
    >
      {text === '' ? <HostName>{href}</HostName> : text} {text !== '' && <span className="faint">({host})</span>}
    </button>
  );
}
