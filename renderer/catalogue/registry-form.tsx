import type { RegistryRemote, RegistryServer } from '../../shared/registry-calls.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import { fillAddress } from './fill-address.ts';

interface RegistryFormProps {
  readonly server: RegistryServer;
  readonly onCheck: (url: string) => void;
}

interface Entered {
  /** Which of the addresses. */
  readonly chosen: number;
  /** By the names of the blanks. */
  readonly typed: Readonly<Record<string, string>>;
}

const nothing: Entered = { chosen: 0, typed: {} };

/** What the publisher says is needed, what has to be filled in, and the button that asks the server. */
export function RegistryForm({ server: { name, remotes }, onCheck }: RegistryFormProps) {
  const newer = remotes.filter(({ transport }) => transport === 'http');
  const offered = newer.length > 0 ? newer : remotes;
  const [entered, keep] = useKept('page', `registry form of ${name}`, nothing);
  const { chosen, typed } = entered;
  const remote = offered[chosen];
  if (!remote) return null;
  const usual = Object.fromEntries(remote.blanks.map((blank) => [blank.name, blank.usual ?? blank.choices?.[0] ?? '']));
  const filled = { ...usual, ...typed };
  const { url, isWhole } = fillAddress(remote.url, filled);
  const fill = (blank: string, value: string): void => keep({ ...entered, typed: { ...typed, [blank]: value } });
  const own = words.registry;
  return (
    <form
      className="stack registry-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) onCheck(url);
      }}
    >
      <ul className="known-facts small">
        {listFacts(name, remote).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {offered.length > 1 && (
        <Field label={own.which}>
          {(control) => (
            <Choice
              {...control}
              value={String(chosen)}
              options={offered.map(({ url: address }, index) => ({ value: String(index), label: address }))}
              onChoose={(value) => keep({ ...entered, chosen: Number(value) })}
            />
          )}
        </Field>
      )}
      {remote.blanks.map(({ name: blank, what, choices }) => (
        <Field key={blank} label={blank} hint={what}>
          {(control) =>
            choices ? (
              <Choice
                {...control}
                value={filled[blank] ?? ''}
                options={choices.map((value) => ({ value, label: value }))}
                onChoose={(value) => fill(blank, value)}
              />
            ) : (
              <TextInput
                {...control}
                maxLength={253}
                value={filled[blank] ?? ''}
                onChange={(event) => fill(blank, event.target.value)}
              />
            )
          }
        </Field>
      ))}
      <p className="soft small known-address">{url}</p>
      <div>
        <Button type="submit" disabled={!isWhole}>
          {own.check}
        </Button>
      </div>
      <p className="soft small">{own.checkHint}</p>
    </form>
  );
}

function listFacts(name: string, { place, isAtOwnDomain, headers, blanks }: RegistryRemote): readonly string[] {
  const own = words.registry;
  const [header] = headers;
  return [
    isAtOwnDomain ? own.ownDomain(name) : own.otherDomain(name, place),
    ...(header && headers.length === 1 ? [own.wantsKey(header.name, header.what)] : []),
    ...(headers.length > 1 ? [own.wantsHeaders(headers.map((each) => each.name))] : []),
    ...(blanks.some(({ isSecret }) => isSecret) ? [own.secretInAddress] : []),
  ];
}
