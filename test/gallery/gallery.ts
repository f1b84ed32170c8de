import { windowStates } from '../renderer/window-states.ts';

/** The list of states, and the selected one in a frame. The URL has the selection, so a reload keeps it. */
const find = element('find', HTMLInputElement);
const size = element('size', HTMLSelectElement);
const theme = element('theme', HTMLSelectElement);
const language = element('language', HTMLSelectElement);
const list = element('states', HTMLElement);
const view = element('view', HTMLIFrameElement);
const trouble = element('trouble', HTMLElement);

const links = windowStates.map(({ name }) => {
  const link = document.createElement('a');
  link.textContent = name;
  link.href = `#${name}`;
  return link;
});
list.append(...links);

function show(): void {
  const name = location.hash.slice(1) || (windowStates[0]?.name ?? '');
  const [width = '', height = ''] = size.value.split('x');
  view.width = width;
  view.height = height;
  trouble.textContent = '';
  view.src = `/gallery/state?${new URLSearchParams({ name, theme: theme.value, language: language.value }).toString()}`;
  for (const link of links) link.toggleAttribute('aria-current', link.textContent === name);
}

function filter(): void {
  for (const link of links) link.hidden = !(link.textContent ?? '').includes(find.value);
}

find.addEventListener('input', filter);
for (const choice of [size, theme, language]) choice.addEventListener('change', show);
addEventListener('hashchange', show);
addEventListener('message', ({ data, source }) => {
  if (source === view.contentWindow && typeof data === 'string') trouble.textContent = data;
});
show();

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.querySelector(`#${id}`);
  if (!(found instanceof kind)) throw new Error(`gallery.html has no ${id}`);
  return found;
}
