import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import { fillAddress } from './fill-address.ts';
import { OpenPage } from './open-page.tsx';
import { Recipe } from './recipe.tsx';

interface KnownPartProps {
  readonly server: KnownServer;
  /** The person gave an address that it has left. */
  readonly hasMoved: boolean;
  readonly busy: boolean;
  readonly onCheck: (url: string) => void;
  readonly onBack: () => void;
}

interface Filled {
  /** Another than the usual one. */
  readonly address?: string;
  /** Its parts in braces. */
  readonly parts: Readonly<Record<string, string>>;
}

const nothing: Filled = { parts: {} };

/** What is known of a service before it is asked, and the button that asks it. */
export function KnownPart({ server, hasMoved, busy, onCheck, onBack }: KnownPartProps) {
  const [entered, keep] = useKept('page', `service ${server.name}`, nothing);
  const { address = server.address, parts: filled } = entered;
  const { name, does, others = [], know = [], admits, home } = server;
  const { url, blanks, isWhole } = fillAddress(address, filled);
  return (
    <section className="known-service stack" aria-labelledby="service-title">
      <div className="known-head">
        <ServiceIcon name={name} size="large" />
        <div>
          <h2 id="service-title">{name}</h2>
          <p className="soft">{words.catalogue.told(does)}</p>
        </div>
      </div>
      {hasMoved && <p>{words.catalogue.moved(name)}</p>}
      {admits && <Notice tone="ask" title={words.catalogue.admits[admits](name)} />}
      <ul className="known-facts">
        {!admits && <li>{describeSignIn(server)}</li>}
        {server.key && server.signIn === 'registers' && <li>{words.catalogue.keyToo}</li>}
        {know.map((fact) => (
          <li key={fact}>{words.catalogue.told(fact)}</li>
        ))}
      </ul>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole) onCheck(url);
        }}
      >
        {others.length > 0 && (
          <Field label={words.catalogue.address}>
            {(control) => (
              <Choice
                {...control}
                value={address}
                options={[
                  { value: server.address, label: words.catalogue.usual },
                  ...others.map((other) => ({ value: other.address, label: words.catalogue.told(other.of) })),
                ]}
                onChoose={(chosen) => keep({ ...entered, address: chosen })}
              />
            )}
          </Field>
        )}
        {blanks.map((placed) => (
          <Field key={placed} label={words.catalogue.told(server.fill?.[placed] ?? placed)}>
            {(control) => (
              <TextInput
                {...control}
                maxLength={253}
                value={filled[placed] ?? ''}
                onChange={(event) => keep({ ...entered, parts: { ...filled, [placed]: event.target.value } })}
              />
            )}
          </Field>
        ))}
        <p className="soft small known-address">{url}</p>
        <div className="row">
          <Button type="submit" kind="primary" busy={busy} disabled={!isWhole} autoFocus>
            {words.catalogue.check}
          </Button>
          {home !== undefined && <OpenPage server={server} page="home" label={words.catalogue.openHome(name)} />}
          <Button kind="quiet" onClick={onBack}>
            {words.catalogue.back}
          </Button>
        </div>
        <p className="soft small">{words.catalogue.guess}</p>
      </form>
      <Recipe server={server} />
    </section>
  );
}

function describeSignIn({ signIn, app, key }: KnownServer): string {
  if (signIn !== 'app') return words.catalogue.signIn[signIn];
  if (key) return words.catalogue.signIn.appOrKey;
  return words.catalogue.signIn[app ? 'app' : 'appOnly'];
}
