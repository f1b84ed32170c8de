import type { IntegrationView } from '../../shared/integration-view.ts';
import { secretEndingSoon } from '../../shared/secret-ending.ts';
import { formatDistance, useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { show } from '../view.ts';
import { words } from '../words.ts';

/** Seven days before a typed client secret ends, and from then on: without it no token can be renewed. */
export function SecretEndingNotice({ integration }: { readonly integration: IntegrationView }) {
  const now = useNow(60_000);
  const end = secretEndingSoon(integration, now);
  if (end === undefined) return null;
  const { title, ended, text, replace } = words.integration.secretEnding;
  return (
    <Notice
      tone="ask"
      title={end > now ? title(formatDistance(end, now)) : ended}
      actions={
        <Button onClick={() => show({ name: 'integration', id: integration.id, tab: 'settings', openAdvanced: true })}>
          {replace}
        </Button>
      }
    >
      {text}
    </Notice>
  );
}
