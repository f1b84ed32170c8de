import type { IntegrationView } from '../../shared/integration-view.ts';

/** With a key there is nobody to sign in: what mends it is the key. */
export function wantsKey({ options, status }: Pick<IntegrationView, 'options' | 'status'>): boolean {
  return options.headerName !== undefined && (status.name === 'signIn' || status.name === 'signInAgain');
}
