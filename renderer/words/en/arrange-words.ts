const servers = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'server' : 'servers'}`;

/** Of the side bar, as a person arranges it. */
export const arrangeWords = {
  chosen: servers,
  selected: (count: number) => `${count.toLocaleString('en')} selected`,
  use: 'Use in programs…',
  actions: 'Actions for the selected servers',
  inGroup: (count: number) => (count === 1 ? 'server' : 'servers'),
  pinned: 'pinned',
  pin: 'Pin',
  unpin: 'Unpin',
  move: 'Move to group…',
  rename: 'Rename group…',
  ungroup: 'Dissolve group',
  group: 'Group',
  newGroup: 'New group',
  noGroup: 'No group',
  groupName: 'Group name',
  moveTitle: (name: string) => `Move ${name} to a group`,
  renameTitle: (group: string) => `Rename ${group}`,
  moveButton: 'Move',
  renameButton: 'Rename',
  fold: 'Fold the side bar',
  unfold: 'Unfold the side bar',
};
