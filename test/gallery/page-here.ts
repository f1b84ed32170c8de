import { Ivya } from 'ivya';
import type { Page } from 'playwright-core';

/** The part of Playwright's `Locator` that state steps use. */
interface LeadLocator {
  first(): LeadLocator;
  or(other: LeadLocator): LeadLocator;
  getByRole(role: Role, options?: RoleOptions): LeadLocator;
  locator(selector: string): LeadLocator;
  click(): Promise<void>;
  fill(text: string): Promise<void>;
  press(key: 'Enter'): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  scrollIntoViewIfNeeded(): Promise<void>;
  waitFor(options?: { state?: 'detached' }): Promise<void>;
  evaluate(run: (element: Element) => void): Promise<void>;
}

interface RoleOptions {
  name?: string | RegExp;
  exact?: boolean;
  level?: number;
  selected?: boolean;
}

type Role = Parameters<Page['getByRole']>[0];

/** The part of Playwright's `Page` that state steps use; the gallery has only this, see `pageHere`. */
export type LeadPage = Pick<LeadLocator, 'getByRole' | 'locator'> & {
  getByLabel(text: string | RegExp, options?: { exact?: boolean }): LeadLocator;
  getByText(text: string | RegExp, options?: { exact?: boolean }): LeadLocator;
  evaluate<Given>(run: (argument: Given) => void, argument: Given): Promise<void>;
};

/** On the current page. */
interface LocatorHere extends LeadLocator {
  find(): readonly Element[];
}

const timeout = 5_000;

/** The current page with Playwright's locators, so that tests and the gallery share the steps. */
export function pageHere(): LeadPage {
  const ivya = Ivya.create({ browser: 'chromium' });
  const within = (roots: () => readonly ParentNode[]): Pick<LeadLocator, 'getByRole' | 'locator'> => ({
    getByRole: (role, options) =>
      here(() => roots().flatMap((root) => ivya.queryAllByRole(role, options, root as unknown as Node))),
    locator: (selector) => here(() => roots().flatMap((root) => [...root.querySelectorAll(selector)])),
  });
  const here = (find: () => readonly Element[]): LocatorHere => ({
    ...within(find),
    find,
    first: () => here(() => find().slice(0, 1)),
    or: (other) => here(() => [...find(), ...(other as LocatorHere).find()]),
    click: async () => click(await settled(find)),
    fill: async (text) => type(await settled(find), text),
    press: async (key) => press(await settled(find), key),
    selectOption: async (value) => choose(await settled(find), value),
    scrollIntoViewIfNeeded: async () => (await settled(find)).scrollIntoView({ block: 'center' }),
    waitFor: async (options) => void (await (options?.state === 'detached' ? gone(find) : settled(find))),
    evaluate: async (run) => run(await settled(find)),
  });
  return {
    ...within(() => [document]),
    getByLabel: (text, options) => here(() => ivya.queryAllByLabelText(text, options)),
    getByText: (text, options) => here(() => ivya.queryAllByText(text, options)),
    evaluate: async (run, argument) => run(argument),
  };
}

/** The single matching element, once it is usable. */
const settled = (find: () => readonly Element[]): Promise<HTMLElement> =>
  waitUntil(() => {
    const [found] = find();
    return found instanceof HTMLElement && found.checkVisibility() && !found.matches(':disabled') ? found : undefined;
  });

const gone = (find: () => readonly Element[]): Promise<true> =>
  waitUntil(() => (find().length === 0 ? true : undefined));

async function waitUntil<Found>(find: () => Found | undefined): Promise<Found> {
  const end = performance.now() + timeout;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error('A step of this state timed out.');
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Like a mouse: tabs react to pointerdown, before the click. */
function click(element: HTMLElement): void {
  const how = { bubbles: true, cancelable: true };
  element.dispatchEvent(new PointerEvent('pointerdown', { ...how, pointerType: 'mouse' }));
  element.dispatchEvent(new MouseEvent('mousedown', how));
  element.focus();
  element.dispatchEvent(new PointerEvent('pointerup', { ...how, pointerType: 'mouse' }));
  element.dispatchEvent(new MouseEvent('mouseup', how));
  element.click();
}

/** Like a keyboard, bypassing the value React tracks. */
function type(element: HTMLElement, text: string): void {
  const prototype = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  element.focus();
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, text);
  element.dispatchEvent(new Event('input', { bubbles: true }));
}

/** In a field, Enter submits its form. */
function press(element: HTMLElement, key: 'Enter'): void {
  const goesOn = element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  if (goesOn && element instanceof HTMLInputElement) element.form?.requestSubmit();
}

function choose(element: HTMLElement, value: string): void {
  if (!(element instanceof HTMLSelectElement)) throw new Error('Only a select has options.');
  element.value = value;
  element.dispatchEvent(new Event('change', { bubbles: true }));
}
