import type { ReactNode } from 'react';
import { words } from '../words.ts';
import type { Block, Span } from './markdown.ts';
import { OutsideLink } from './outside-link.tsx';

/** Blocks of text, built as elements: no markup of a server is ever read by the browser. */
export function MarkdownView({ call, blocks }: { readonly call: string; readonly blocks: readonly Block[] }) {
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
