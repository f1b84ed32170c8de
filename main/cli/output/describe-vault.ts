/** What the sign-ins of a profile are sealed with, where that is no keychain, for a person. */
export function describeVault(kind: 'passphrase' | 'file' | 'unreadable'): string {
  switch (kind) {
    case 'passphrase':
      return 'Sign-ins here are sealed with a passphrase, not by a keychain: who knows it and has this folder has them.';
    case 'file':
      return 'Sign-ins here are sealed with a key file, not by a keychain: who has both it and this folder has them.';
    case 'unreadable':
      return 'The file "keyring" in this folder cannot be read; it has the key to the sign-ins here.';
  }
}
