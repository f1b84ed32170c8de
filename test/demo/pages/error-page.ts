import { html } from './html.ts';
import { renderPage } from './page.ts';

export interface ErrorPage {
  readonly stylePath: string;
  readonly error: string;
  readonly error_description?: string;
}

/** Shows errors that cannot be sent back to the application (RFC 6749 4.1.2.1). */
export function renderErrorPage({ stylePath, error, error_description }: ErrorPage): string {
  const body = html`<h1>This did not work</h1>
    <p class="problem" role="alert">${error_description ?? error}</p>
    <p class="hint">${error_description === undefined ? undefined : error}</p>`;
  return renderPage({ title: 'Error', stylePath, body });
}
