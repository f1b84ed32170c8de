import type { Translated } from '../../../shared/translated.ts';
import type { arrangeWords as english } from '../en/arrange-words.ts';

const servers = (count: number): string => `${count.toLocaleString('de')} Server`;

export const arrangeWords: Translated<typeof english> = {
  chosen: servers,
  selected: (count) => `${count.toLocaleString('de')} ausgewählt`,
  use: 'In Programmen nutzen…',
  actions: 'Aktionen für die ausgewählten Server',
  inGroup: () => 'Server',
  pinned: 'angeheftet',
  pin: 'Anheften',
  unpin: 'Lösen',
  move: 'In Gruppe verschieben…',
  rename: 'Gruppe umbenennen…',
  ungroup: 'Gruppe auflösen',
  group: 'Gruppe',
  newGroup: 'Neue Gruppe',
  noGroup: 'Keine Gruppe',
  groupName: 'Name der Gruppe',
  moveTitle: (name) => `${name} in eine Gruppe verschieben`,
  renameTitle: (group) => `${group} umbenennen`,
  moveButton: 'Verschieben',
  renameButton: 'Umbenennen',
  fold: 'Seitenleiste einklappen',
  unfold: 'Seitenleiste ausklappen',
};
