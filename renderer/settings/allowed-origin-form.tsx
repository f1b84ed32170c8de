import { readWebOrigin } from '../../shared/web-origin.ts';
import { words } from '../words.ts';
import { AddressSettingForm } from './address-setting-form.tsx';

/** The one web page that may use Postern over HTTP. */
export function AllowedOriginForm({ origin }: { readonly origin: string | undefined }) {
  const own = words.settings;
  const read = (text: string) => {
    const address = readWebOrigin(text.trim());
    return address === undefined && text !== '' ? { why: own.allowedOriginWrong } : { address };
  };
  return (
    <AddressSettingForm
      label={own.allowedOrigin}
      hint={own.allowedOriginHint}
      setting="allowedOrigin"
      value={origin ?? ''}
      placeholder="http://localhost:6274"
      maxLength={300}
      read={read}
      reset={origin === undefined ? undefined : own.allowedOriginNone}
    />
  );
}
