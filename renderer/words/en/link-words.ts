/** Of `postern:` links. */
export const linkWords = {
  asksToConnect: (host: string) => `A link wants to connect ${host}.`,
  asksToOpen: (name: string | undefined) =>
    name === undefined ? 'A link wants to open a server.' : `A link wants to open ${name}.`,
  held: 'What you were doing is still here.',
  connect: 'Check it',
  open: 'Open it',
  unusable: 'Postern cannot use the link that was opened.',
  unusableMore: 'Copy the address of the server instead, and paste it under “Connect a server”.',
  unknown: 'The link leads to a server that is not in your list.',
  unknownMore: 'It may have been removed. Connect it again to use it.',
};
