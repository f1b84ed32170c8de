import { authorityOf } from '../../shared/authority-of.ts';

interface FilledAddress {
  readonly url: string;
  /** Names of what has to be filled in. */
  readonly blanks: readonly string[];
  readonly isWhole: boolean;
}

/** An address with `{name}` for what a person fills in; no value makes another address of it. */
export function fillAddress(address: string, filled: Readonly<Record<string, string>>): FilledAddress {
  const blanks = [...new Set([...address.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name))];
  const valueOf = (name: string): string =>
    clean(Object.hasOwn(filled, name) ? (filled[name] ?? '') : '', isOfHost(address, name));
  const url = address.replaceAll(/\{(\w+)\}/gu, (blank, name: string) => valueOf(name) || blank);
  return { url, blanks, isWhole: blanks.every((name) => valueOf(name) !== '') };
}

const isOfHost = (address: string, name: string): boolean => authorityOf(address).includes(`{${name}}`);

/** A part of a host or path, without what would make another address of it. */
function clean(text: string, isHost: boolean): string {
  const plain = text.trim().replace(/^https?:\/\//iu, '');
  return (isHost ? plain.replace(/\/.*$/su, '') : plain).replaceAll(/[^\w./-]/gu, '').replace(/\/+$/u, '');
}
