import type { PosternLink } from '../../shared/postern-link.ts';
import { isAddressTyped } from '../connect/use-address.ts';
import { checkOf, useSnapshots } from '../store.ts';
import { show, showIntegration, useView } from '../view.ts';

/**
 * What somebody opened, perhaps by a page of the web that sends many. It takes the place of nothing that the person has
 * typed or is asked, and changes no page under a click: then it is held until the person says so.
 */
export function takeLink(link: PosternLink): void {
  if (link.kind === 'unusable') useView.setState({ lostLink: 'unusable' });
  else if (isAtSomething(link)) useView.setState({ heldLink: link });
  else followLink(link);
}

/** Goes where it leads, as a click would. */
export function followLink(link: PosternLink): void {
  if (link.kind === 'connect') show({ name: 'connect', linked: { url: link.url } });
  if (link.kind !== 'open') return;
  const isThere = useSnapshots.getState().integrations?.some(({ id }) => id === link.id);
  if (isThere) showIntegration(link.id);
  else useView.setState({ lostLink: 'unknown' });
}

export function dropLink(): void {
  useView.setState({ heldLink: undefined });
}

/** `data-at-work` stands at what goes when another page is shown; a field with a text may just be typed in. */
const atWork = 'dialog, [role=alertdialog], [role=menu], [data-at-work]';
const textField = 'textarea, input:not([type=checkbox], [type=radio])';

function isAtSomething({ kind }: PosternLink): boolean {
  if (document.querySelector(atWork)) return true;
  const field = document.activeElement as HTMLInputElement | HTMLTextAreaElement | null;
  if (field?.matches(textField) && field.value !== '') return true;
  const { view } = useView.getState();
  const isConnecting = view.name === 'connect' && (view.connectionId ?? view.linked ?? view.dropped) !== undefined;
  if (kind === 'open') return isConnecting;
  return isConnecting || isAddressTyped(undefined) || checkOf(useSnapshots.getState()) !== undefined;
}
