import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction, Provider } from 'oidc-provider';
import { findAccount } from './accounts.ts';
import type { AuthorizationServerOptions } from './authorization-server-options.ts';
import { renderConsentPage } from './pages/consent-page.ts';
import { renderErrorPage } from './pages/error-page.ts';
import { renderSignInPage } from './pages/sign-in-page.ts';
import { readForm } from './read-form.ts';

interface InteractionInput {
  readonly issuerPath: string;
  readonly options: AuthorizationServerOptions;
}

type AnswerInteraction = (request: IncomingMessage, response: ServerResponse, uid: string) => Promise<void>;

/**
 * The pages between the authorization request and its response. oidc-provider binds each interaction to a signed,
 * SameSite cookie of the browser that started it, so that no other site can post these forms.
 */
export function createInteractions(provider: Provider, { issuerPath, options }: InteractionInput): AnswerInteraction {
  const stylePath = `${issuerPath}/style.css`;

  return async (request, response, uid) => {
    const interaction = await provider.interactionDetails(request, response).catch(() => undefined);
    if (interaction === undefined || interaction.uid !== uid) {
      const page = renderErrorPage({ stylePath, error: 'This sign-in has ended', error_description: expired });
      return sendPage(response, 400, page);
    }
    const finish = (result: object): Promise<void> =>
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: !('error' in result) });
    const submitted = request.method === 'POST' ? await readForm(request) : undefined;

    if (interaction.prompt.name === 'login') {
      const asksForAccount = interaction.params['prompt']?.split(' ').includes('login') ?? false;
      const signedIn = asksForAccount ? undefined : options.signedInAs;
      const chosen = options.autoApprove ?? submitted?.get('account') ?? signedIn;
      const username = chosen ?? submitted?.get('username') ?? undefined;
      const account = username === undefined ? undefined : findAccount(username);
      const isProven = chosen !== undefined || (submitted?.get('password') ?? '') !== '';
      if (account !== undefined && isProven) return finish({ login: { accountId: account.username } });
      const problem = submitted === undefined ? undefined : account === undefined ? noSuchAccount : noPassword;
      const page = renderSignInPage({ stylePath, username, problem });
      return sendPage(response, problem === undefined ? 200 : 422, page, interaction.params['redirect_uri']);
    }

    const decision = options.autoApprove === undefined ? submitted?.get('decision') : 'allow';
    if (decision === 'allow') return finish({ consent: { grantId: await grantAccess(interaction) } });
    if (decision === 'deny') return finish({ error: 'access_denied', error_description: 'The user denied access.' });
    const client = await provider.Client.find(interaction.params['client_id'] ?? '');
    const page = renderConsentPage({
      stylePath,
      application: client?.clientName ?? 'An application without a name',
      account: findAccount(interaction.session?.accountId ?? ''),
      resource: interaction.params['resource'],
      scopes: requestedScopes(interaction),
      redirectUri: interaction.params['redirect_uri'] ?? '',
    });
    sendPage(response, 200, page, interaction.params['redirect_uri']);
  };

  async function grantAccess(interaction: Interaction): Promise<string> {
    const { details } = interaction.prompt;
    const known = interaction.grantId === undefined ? undefined : await provider.Grant.find(interaction.grantId);
    const grant =
      known ??
      new provider.Grant({
        accountId: interaction.session?.accountId ?? '',
        clientId: interaction.params['client_id'] ?? '',
      });
    const granted = new Set(options.grantScopes?.(requestedScopes(interaction)) ?? requestedScopes(interaction));
    for (const scope of details.missingOIDCScope ?? []) {
      if (granted.has(scope)) grant.addOIDCScope(scope);
      else grant.rejectOIDCScope(scope);
    }
    for (const [resource, scopes] of Object.entries(details.missingResourceScopes ?? {})) {
      for (const scope of scopes) {
        if (granted.has(scope)) grant.addResourceScope(resource, scope);
        else grant.rejectResourceScope(resource, scope);
      }
    }
    return grant.save();
  }
}

const expired = 'The sign-in timed out or was started in another browser. Return to your app and connect again.';
const noSuchAccount = 'There is no such account. Try demo, ada or grace.';
const noPassword = 'Type a password. Any will do.';

function requestedScopes(interaction: Interaction): readonly string[] {
  return (interaction.params['scope'] ?? '').split(' ').filter((scope) => scope !== '');
}

/** `redirectUri`: browsers also apply `form-action` to the redirect after a form. */
function sendPage(response: ServerResponse, status: number, page: string, redirectUri?: string): void {
  const target = redirectUri === undefined ? null : URL.parse(redirectUri);
  // CSP cannot express an IPv6 address.
  const formTarget = target === null ? '' : target.hostname.startsWith('[') ? ' http:' : ` ${target.origin}`;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src data:; form-action 'self'${formTarget}; frame-ancestors 'none'; base-uri 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(page);
}
