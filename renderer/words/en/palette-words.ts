export const paletteWords = {
  title: 'Go to or do',
  label: 'Server, page or action',
  found: 'What was found',
  nothing: 'Nothing has that name.',
  page: 'Page',
  action: 'Action',
  program: 'Program',
  pause: 'Pause all programs',
  resume: 'Let programs go on',
  serverAction: (server: string, action: string) => `${server}: ${action}`,
};
