import type { Language } from '../shared/choices.ts';

/** Where the person has said nothing finer, such as the English of the United States. */
const usual: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** For dates, numbers and orders: the person's own kind of the language that is spoken. A tag of BCP 47. */
export let locale = usual.en;

/** From now on everything is formatted as in `language`. */
export function formatAs(language: Language): void {
  locale = navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? usual[language];
}

/** A format of the locale that holds when it is asked for; making one takes long. */
export function perLocale<Format>(make: (locale: string) => Format): () => Format {
  let made: { readonly locale: string; readonly format: Format } | undefined;
  return () => {
    if (made?.locale !== locale) made = { locale, format: make(locale) };
    return made.format;
  };
}
