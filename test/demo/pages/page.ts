import { Html, html } from './html.ts';

/** A pencil on a page, in the color of the surrounding text. */
const mark = new Html(
  '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 3.5h8l4 4v13H6z"/><path d="M9 11h6M9 14.5h6M9 18h3"/></svg>',
);

/** The layout of the demo authorization server's pages. */
export function renderPage({ title, stylePath, body }: { title: string; stylePath: string; body: Html }): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · Fieldnotes</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        <header class="brand">${mark}<span>Fieldnotes</span><small>demo</small></header>
        <main class="card">${body}</main>
        <footer>A demo server on this computer. Nothing here is real, and nothing leaves it.</footer>
      </body>
    </html>`.text;
}
