import { describe, expect, it } from 'vitest';
import { toPlainError } from '../../../../../main/errors/postern-error.ts';
import { toKeychainError } from '../../../../../main/storage/keychain/keytar-keychain.ts';

describe('toKeychainError', () => {
  it.each([
    ['Could not connect: No such file or directory', 'KC_UNAVAILABLE'],
    ['Cannot autolaunch D-Bus without X11 $DISPLAY', 'KC_UNAVAILABLE'],
    ['The name org.freedesktop.secrets was not provided by any .service files', 'KC_UNAVAILABLE'],
    ['The name :1.0 was not provided by any .service files', 'KC_UNAVAILABLE'],
    ['Object does not exist at path “/org/freedesktop/secrets/collection/login”', 'KC_UNAVAILABLE'],
    ["Cannot find package 'keytar' imported from /app/keychain-child.js", 'KC_UNAVAILABLE'],
    ['libsecret-1.so.0: cannot open shared object file: No such file or directory', 'KC_UNAVAILABLE'],
    ['Cannot create an item in a locked collection', 'KC_LOCKED'],
    ['User interaction is not allowed.', 'KC_LOCKED'],
    ['The prompt was dismissed', 'KC_DENIED'],
    ['User canceled the operation.', 'KC_DENIED'],
    ['The user name or passphrase you entered is not correct.', 'KC_DENIED'],
    ['Access is denied.', 'KC_DENIED'],
    ['The stub received bad data.', 'KC_TOO_LARGE'],
    ['', 'KC_UNAVAILABLE'],
  ])('classifies "%s" as %s', (message, code) => {
    expect(toKeychainError({ ok: false, message })).toMatchObject({ code, stage: 'storage', detail: {} });
  });

  it.each(['module', 'build', 'libsecret'] as const)(
    'reports that %s is missing, not that there is no keychain',
    (missing) => {
      const { code, message, remedy } = toPlainError(
        toKeychainError({ ok: false, message: 'Cannot find it', missing }),
      );
      expect({ code, remedy }).toEqual({ code: 'KC_UNAVAILABLE', remedy: { kind: 'set-up-keychain', missing } });
      expect(message).toMatch(/is not installed|was not compiled/u);
    },
  );
});
