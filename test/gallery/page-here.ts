import { Ivya } from 'ivya';

/** The part of Playwright's `Locator` that the steps of a state use, on this very page. */
export interface LocatorHere {
  first(): LocatorHere;
  or(other: LocatorHere): LocatorHere;
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): LocatorHere;
  locator(selector: string): LocatorHere;
  click(): Promise<void>;
  fill(text: string): Promise<void>;
  selectOption(value: string): Promise<void>;
  scrollIntoViewIfNeeded(): Promise<void>;
  waitFor(): Promise<void>;
  evaluate(run: (element: Element) => void): Promise<void>;
  find(): readonly Element[];
}

type Page = Pick<LocatorHere, 'getByRole' | 'locator'> & {
  getByLabel(text: string | RegExp, options?: { exact?: boolean }): LocatorHere;
  getByText(text: string | RegExp, options?: { exact?: boolean }): LocatorHere;
};

const patience = 5_000;

/** The page that this runs in, found by Playwright's own rules: the steps are the same in tests and in the gallery. */
export function pageHere(): Page {
  const ivya = Ivya.create({ browser: 'chromium' });
  const within = (roots: () => readonly ParentNode[]): Pick<LocatorHere, 'getByRole' | 'locator'> => ({
    getByRole: (role, options) =>
      here(() => roots().flatMap((root) => ivya.queryAllByRole(role, options, root as unknown as Node))),
    locator: (selector) => here(() => roots().flatMap((root) => [...root.querySelectorAll(selector)])),
  });
  const here = (find: () => readonly Element[]): LocatorHere => ({
    ...within(find),
    find,
    first: () => here(() => find().slice(0, 1)),
    or: (other) => here(() => [...find(), ...other.find()]),
    click: async () => (await settled(find)).click(),
    fill: async (text) => type(await settled(find), text),
    selectOption: async (value) => choose(await settled(find), value),
    scrollIntoViewIfNeeded: async () => (await settled(find)).scrollIntoView({ block: 'center' }),
    waitFor: async () => void (await settled(find)),
    evaluate: async (run) => run(await settled(find)),
  });
  return {
    ...within(() => [document]),
    getByLabel: (text, options) => here(() => ivya.queryAllByLabelText(text, options)),
    getByText: (text, options) => here(() => ivya.queryAllByText(text, options)),
  };
}

/** The one element that is found, once it can be used. */
async function settled(find: () => readonly Element[]): Promise<HTMLElement> {
  const end = performance.now() + patience;
  for (;;) {
    const [found] = find();
    if (found instanceof HTMLElement && found.checkVisibility() && !found.matches(':disabled')) return found;
    if (performance.now() > end) throw new Error('A step of this state did not find its element.');
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** As a keyboard does, past the value that React remembers. */
function type(element: HTMLElement, text: string): void {
  const prototype = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  element.focus();
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, text);
  element.dispatchEvent(new Event('input', { bubbles: true }));
}

function choose(element: HTMLElement, value: string): void {
  if (!(element instanceof HTMLSelectElement)) throw new Error('Only a select has options.');
  element.value = value;
  element.dispatchEvent(new Event('change', { bubbles: true }));
}
