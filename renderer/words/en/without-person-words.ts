/** Access for which nobody signs in at the server's service. */
export const withoutPersonWords = {
  title: 'Without a sign-in page',
  text: 'Some services give access to a program, or to whoever is signed in at your company already.',
  label: 'Who gets the access',
  choices: {
    program: 'The program itself (client credentials)',
    programHint: 'With the ID of an app of yours, and its secret or key. Its access is the app’s, not yours.',
    provider: (name: string) => `You, by ${name}`,
    providerHint: 'Your company’s identity provider tells the service who you are. Your company has the app for it.',
    file: 'Whoever a file says (JWT assertion)',
    fileHint:
      'A cluster or cloud keeps a signed JWT in it and renews it. Postern reads it each time, and copies it nowhere.',
  },
  providers:
    'Your company’s identity provider can be chosen here once it is connected: check its address as you would a server’s, then say that it is your identity provider.',
  file: {
    choose: 'Choose a file…',
    chooseOther: 'Choose another file…',
    needed: 'Choose the file first.',
  },
};
