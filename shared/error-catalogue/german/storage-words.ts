/** Steps like those of `advice-words.ts`, about what is kept on this computer. */
export const storageWords = {
  'Unlock it (on Linux by logging in to the desktop, or with Seahorse or KWallet; the README says how without a desktop), then try again.':
    'Entsperren Sie ihn (unter Linux durch Anmelden am Desktop oder mit Seahorse oder KWallet; ohne Desktop steht es in der README), und versuchen Sie es noch einmal.',
  'Unlock it (on Linux by logging in to the desktop, or with Seahorse or KWallet; the README says how without a desktop), then try again. If these sign-ins came from elsewhere, move the file "vault" out of the profile folder and sign in again.':
    'Entsperren Sie ihn (unter Linux durch Anmelden am Desktop oder mit Seahorse oder KWallet; ohne Desktop steht es in der README), und versuchen Sie es noch einmal. Kamen diese Anmeldungen von anderswo, nehmen Sie die Datei „vault“ aus dem Profilordner, und melden Sie sich neu an.',
  'Try again, and allow Postern to use it when the system asks.':
    'Versuchen Sie es noch einmal, und erlauben Sie Postern den Zugriff, wenn das System fragt.',
  'Look for a window that asks for your password, then try again.':
    'Suchen Sie nach einem Fenster, das Ihr Passwort verlangt, und versuchen Sie es noch einmal.',
  'Give the one that they were sealed with. Nothing was changed.':
    'Verwenden Sie die, mit der sie verschlüsselt wurden. Nichts wurde geändert.',
  'Bring it back from a copy; or move "keyring" and "vault" out of the profile folder and sign in again.':
    'Holen Sie sie aus einer Kopie zurück, oder nehmen Sie „keyring“ und „vault“ aus dem Profilordner, und melden Sie sich neu an.',
  'Make it yours, and for you alone (chmod 600); and think about who may have read it.':
    'Machen Sie sie zu Ihrer und für Sie allein lesbar (chmod 600), und überlegen Sie, wer sie gelesen haben kann.',
  'Check that it is there, that it is an ordinary file of yours, and that it is not too long.':
    'Prüfen Sie, ob sie da ist, ob sie eine gewöhnliche Datei von Ihnen ist und nicht zu lang.',
  'Sign in to this server again.': 'Melden Sie sich bei diesem Server neu an.',
  'Fix it there. Until then it stays as it is, and the rest works without it.':
    'Berichtigen Sie es dort. Bis dahin bleibt es, wie es ist, und der Rest geht ohne.',
  'Mend "config.json" in the profile folder, or move it out of there and connect your servers again.':
    'Berichtigen Sie „config.json“ im Profilordner, oder nehmen Sie die Datei dort heraus, und verbinden Sie Ihre Server neu.',
  'Put the file itself in its place, or move the link out of that folder; then try again.':
    'Legen Sie die Datei selbst dorthin, oder nehmen Sie den Link aus dem Ordner, und versuchen Sie es noch einmal.',
  'Look at what is in it, then take that permission away (chmod go-w); or choose another folder (POSTERN_HOME).':
    'Sehen Sie nach, was darin ist, und nehmen Sie dann dieses Recht weg (chmod go-w), oder wählen Sie einen anderen Ordner (POSTERN_HOME).',
  'Use the newer version, or another folder (POSTERN_HOME).':
    'Verwenden Sie die neuere Version oder einen anderen Ordner (POSTERN_HOME).',
  'Free some space, then try again.': 'Schaffen Sie Platz, und versuchen Sie es noch einmal.',
  'Check the owner and the permissions of that folder, or choose another one (POSTERN_HOME).':
    'Prüfen Sie Besitzer und Rechte dieses Ordners, oder wählen Sie einen anderen (POSTERN_HOME).',
  'Use them where they were made, or move the file "vault" out of the profile folder and sign in again.':
    'Verwenden Sie sie dort, wo sie entstanden sind, oder nehmen Sie die Datei „vault“ aus dem Profilordner, und melden Sie sich neu an.',
  'They are not lost. Open Postern where your keychain is (on Linux in your desktop session): it takes the place of one that runs without it.':
    'Sie sind nicht verloren. Öffnen Sie Postern dort, wo Ihr Schlüsselbund ist (unter Linux in Ihrer Desktop-Sitzung): Es löst eines ab, das ohne ihn läuft.',
  'Choose a folder of your own (POSTERN_HOME), or run Postern as the user who owns it.':
    'Wählen Sie einen eigenen Ordner (POSTERN_HOME), oder starten Sie Postern als der Benutzer, dem er gehört.',
  'Move it out of that folder, then try again; or choose another folder (POSTERN_HOME).':
    'Nehmen Sie es aus dem Ordner, und versuchen Sie es noch einmal, oder wählen Sie einen anderen Ordner (POSTERN_HOME).',
  // files of programs
  'Fix the file, then try again. Nothing was changed.':
    'Berichtigen Sie die Datei, und versuchen Sie es noch einmal. Nichts wurde geändert.',
  'Put an ordinary file there that you may write to, then try again.':
    'Legen Sie dort eine normale Datei an, in die Sie schreiben dürfen, und versuchen Sie es noch einmal.',
  'Look at the preview again, then try again. Nothing was changed.':
    'Sehen Sie sich die Vorschau neu an, und versuchen Sie es noch einmal. Nichts wurde geändert.',
  'Try again, or change its configuration yourself.':
    'Versuchen Sie es noch einmal, oder ändern Sie seine Konfiguration selbst.',
  'Change the file by hand.': 'Ändern Sie die Datei von Hand.',
  'Change the file by hand. A copy of the file from before that change is kept at {copy}':
    'Ändern Sie die Datei von Hand. Eine Kopie der Datei von vor dieser Änderung liegt unter {copy}',
  'There is nothing left to do.': 'Es bleibt nichts zu tun.',
  'There is nothing left to do. A copy of the file from before that change is kept at {copy}':
    'Es bleibt nichts zu tun. Eine Kopie der Datei von vor dieser Änderung liegt unter {copy}',
} as const;
