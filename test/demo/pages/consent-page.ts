import type { Account } from '../accounts.ts';
import { describeScope } from '../scopes.ts';
import { Html, html } from './html.ts';
import { renderPage } from './page.ts';

export interface ConsentPage {
  readonly stylePath: string;
  /** The application's own name: untrusted. */
  readonly application: string;
  readonly account: Account | undefined;
  readonly resource: string | undefined;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
}

const tick = new Html('<svg viewBox="0 0 20 20" aria-hidden="true"><path d="m5 10.5 3.2 3.2L15 7"/></svg>');

export function renderConsentPage(page: ConsentPage): string {
  const scopes = page.scopes.map((scope) => {
    const { title, detail } = describeScope(scope);
    return html`<li>
      ${tick}<span><b>${title}</b><small>${detail}</small></span>
    </li>`;
  });
  const place = page.resource === undefined ? 'Once allowed, ' : html`At <b class="host">${hostOf(page.resource)}</b> `;
  const body = html`<h1><em>${page.application}</em> wants to use your notes</h1>
    <p class="who">
      <span class="avatar" aria-hidden="true">${page.account?.initials ?? '?'}</span
      ><span>${page.account?.name ?? 'Unknown'}<small>${page.account?.username}</small></span>
    </p>
    <p class="lead">
      ${place}${scopes.length === 0 ? 'it asks for no permission beyond signing in.' : 'it will be able to:'}
    </p>
    <ul class="scopes">
      ${scopes}
    </ul>
    <form method="post" class="decide">
      <button class="secondary" type="submit" name="decision" value="deny">Deny</button>
      <button class="primary" type="submit" name="decision" value="allow">Allow</button>
    </form>
    <p class="hint">Either way you return to the app at <b class="host">${hostOf(page.redirectUri)}</b>.</p>`;
  return renderPage({ title: 'Allow access', stylePath: page.stylePath, body });
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? 'an unknown place';
}
