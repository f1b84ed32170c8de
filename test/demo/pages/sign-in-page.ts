import { accounts } from '../accounts.ts';
import { html } from './html.ts';
import { renderPage } from './page.ts';

export interface SignInPage {
  readonly stylePath: string;
  readonly username: string | undefined;
  /** The error of the last attempt. */
  readonly problem: string | undefined;
}

export function renderSignInPage({ stylePath, username, problem }: SignInPage): string {
  const others = accounts
    .slice(1)
    .map(
      (account) =>
        html`<button class="account" type="submit" name="account" value="${account.username}">
          <span class="avatar" aria-hidden="true">${account.initials}</span>${account.name}
        </button>`,
    );
  const body = html`<h1>Sign in</h1>
    <p class="lead">to continue to your notes</p>
    ${problem === undefined ? undefined : html`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" class="fields">
      <label
        >User name<input
          name="username"
          value="${username ?? 'demo'}"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          required
      /></label>
      <label
        >Password<input
          name="password"
          type="password"
          value="demo"
          autocomplete="current-password"
          aria-describedby="any"
          required
      /></label>
      <p id="any" class="hint">Any password works here.</p>
      <button class="primary" type="submit">Sign in</button>
    </form>
    <form method="post" class="others">
      <p class="or"><span>or continue as</span></p>
      <div class="accounts">${others}</div>
    </form>`;
  return renderPage({ title: 'Sign in', stylePath, body });
}
