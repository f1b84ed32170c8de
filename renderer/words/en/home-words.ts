export const homeWords = {
  title: 'Home',
  nothing: 'Nothing needs you right now.',
  programs: 'Programs in use',
  noPrograms: 'No program uses your servers yet.',
  calls: 'Last activity',
  allCalls: 'All activity',
};
