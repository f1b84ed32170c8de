import { useState } from 'react';
import type { ClipboardEvent, FormEvent } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { isCheck } from '../store.ts';
import { words } from '../words.ts';
import type { Discover } from './use-discover.ts';

interface AddressFormProps {
  readonly connection: ConnectionView | undefined;
  readonly discovery: Discover;
  /** The text of a whole `mcp.json` was pasted. */
  readonly onFile: (text: string) => void;
}

/** A pasted address is asked at once; a typed one with Enter, since half an address may be somebody else's. */
export function AddressForm({ connection, discovery, onFile }: AddressFormProps) {
  const [address, setAddress] = useState(connection?.url ?? '');
  const [local, setLocal] = useState(connection?.options.local ?? false);
  const options = { ...connection?.options, local };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (address.trim() !== '') discovery.discover(address, options);
  };
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text').trim();
    if (text.startsWith('{')) {
      event.preventDefault();
      onFile(text);
    } else if (/^https?:\/\/\S+$/.test(text) && address.trim() === '') {
      event.preventDefault();
      setAddress(text);
      discovery.discover(text, options);
    }
  };
  if (connection?.isUnderWay) return null;
  return (
    <form className="stack" onSubmit={submit}>
      <Field id="address" label={words.connect.address} hint={connection ? undefined : words.connect.fileHint}>
        {(control) => (
          <div className="address-line">
            <TextInput
              {...control}
              className="address"
              mono
              autoFocus
              inputMode="url"
              maxLength={16_384}
              value={address}
              placeholder={words.connect.placeholder}
              onChange={(event) => setAddress(event.target.value)}
              onPaste={paste}
            />
            <Button
              type="submit"
              kind={connection === undefined ? 'primary' : 'plain'}
              busy={discovery.busy || connection?.state.name === 'discovering'}
            >
              {connection === undefined ? words.connect.look : words.connect.lookAgain}
            </Button>
            {connection && isCheck(connection) && connection.state.name !== 'discovering' && (
              <Button kind="quiet" onClick={() => void postern.connection.cancel({ id: connection.id })}>
                {words.connect.startOver}
              </Button>
            )}
          </div>
        )}
      </Field>
      <CheckBox
        checked={local}
        onChange={setLocal}
        label={words.connect.local}
        hint={connection ? undefined : words.connect.localHint}
      />
    </form>
  );
}
