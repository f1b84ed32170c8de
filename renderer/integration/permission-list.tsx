import { Check, CircleAlert } from 'lucide-react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { useKnownServer } from '../catalogue/catalogue.ts';
import { Button } from '../parts/button.tsx';
import { words } from '../words.ts';
import type { ScopeContext } from '../catalogue/describe-scope.ts';
import { describeScope } from '../catalogue/describe-scope.ts';

interface PermissionListProps {
  readonly integration: IntegrationView;
  readonly onGrant: () => void;
}

/** More are counted, not listed. */
const shown = 50;

/** What this access may do, and what was asked for and not granted. */
export function PermissionList({ integration, onGrant }: PermissionListProps) {
  const { url, issuer, scope, scopeRequested, missingScopes, status } = integration;
  const service = useKnownServer(url)?.name;
  // Without a word on it, what was requested was granted (RFC 6749 section 5.1).
  const granted = (scope ?? scopeRequested)?.split(' ').filter(Boolean) ?? [];
  const context = { service, issuer, among: [...granted, ...missingScopes] };
  return (
    <section className="stack-tight">
      <h2>{words.account.permissions}</h2>
      {granted.length + missingScopes.length === 0 && <p className="soft">{words.account.grantedNone}</p>}
      {granted.length + missingScopes.length > 0 && (
        <ul className="permissions">
          {missingScopes.slice(0, shown).map((name, index) => (
            <li key={`missing ${name}`}>
              <CircleAlert className="permission-missing" aria-hidden="true" size={15} />
              <Scope context={context} name={name} isMissing />
              {/* One sign-in asks for all of them. Where the server has asked for it, the button stands above. */}
              {index === 0 && status.name !== 'needsAccess' && <Button onClick={onGrant}>{words.account.grant}</Button>}
            </li>
          ))}
          {granted.slice(0, shown).map((name) => (
            <li key={name}>
              <Check className="permission-granted" aria-hidden="true" size={15} />
              <Scope context={context} name={name} />
            </li>
          ))}
        </ul>
      )}
      {granted.length > shown && <p className="faint small">{words.account.morePermissions(granted.length - shown)}</p>}
    </section>
  );
}

interface ScopeProps {
  readonly context: ScopeContext;
  readonly name: string;
  readonly isMissing?: boolean;
}

/** In words where they are known, with the name that the service gave it. */
function Scope({ context, name, isMissing = false }: ScopeProps) {
  const said = describeScope(context, name);
  const missing = isMissing && <span className="soft small"> {words.scopes.missing}</span>;
  if (said === undefined)
    return (
      <span className="permission-name">
        {name}
        {missing}
      </span>
    );
  return (
    <>
      <span>
        {said}
        {missing}
      </span>
      <span className="permission-scope faint small">{name}</span>
    </>
  );
}
