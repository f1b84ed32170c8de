import type { Advice } from '../en/advice-words.ts';

/** The German of `advice-words.ts`. */
export const adviceWords = {
  // what was typed
  putHttpsInFront: 'Setzen Sie https:// davor.',
  replaceWithOwnValue: 'Setzen Sie Ihren eigenen Wert dafür ein.',
  replacePlaceholder: 'Setzen Sie Ihren eigenen Wert dafür ein. Welcher das ist, sagt die Dokumentation des Dienstes.',
  copyAddressAgain: 'Kopieren Sie die Adresse des MCP-Servers noch einmal; sie sieht aus wie https://example.com/mcp.',
  useHttpsAddress: 'Verwenden Sie die Adresse mit https:// davor.',
  removeUserinfo: 'Entfernen Sie den Teil vor dem @. Postern meldet sich anders an.',
  removeFragment: 'Entfernen Sie das # und was danach kommt.',
  pasteAddressAlone: 'Prüfen Sie, ob nur die Serveradresse eingefügt wurde; mehr als 2.048 Zeichen gehen nicht.',
  checkPortNumber: 'Prüfen Sie die Zahl nach dem Doppelpunkt in der Adresse.',
  tellOwnerNeedsHttps: 'Sagen Sie es dem Betreiber des Servers; seine Anmeldeadressen müssen mit https:// beginnen.',
  addressNeverAllowed: 'Prüfen Sie die Adresse. Adressen dieser Art sind nie erlaubt.',
  typeItYourself: 'Prüfen Sie sie Buchstabe für Buchstabe, oder tippen Sie sie selbst ein.',
  useHeaderName:
    'Verwenden Sie einen Namen wie X-API-Key oder Authorization, und kopieren Sie den Wert noch einmal: sichtbare Zeichen ohne Zeilenumbruch.',
  givePrivateKey:
    'Geben Sie den privaten Schlüssel als PEM oder JWK an, ohne Passphrase: EC (P-256, P-384, P-521) oder RSA ab 2048 Bit.',
  renewAssertionFile:
    'Sorgen Sie dafür, dass das Programm, das diese Datei schreibt, ein neues JWT für diesen Anmeldedienst hineinschreibt und niemand sonst sie schreiben kann.',
  chooseCertificateFile: 'Wählen Sie eine Datei mit einem oder mehreren Zertifikaten im PEM-Format.',
  askIdentityProvider: 'Bitten Sie den Betreiber des Identitätsanbieters, Ihnen und Postern diesen Server zu erlauben.',
  tellIdentityProvider: 'Sagen Sie dem Betreiber des Identitätsanbieters, was er antwortet.',
  signInToIdentityProvider:
    'Melden Sie sich beim Identitätsanbieter neu an; er meldet dann von selbst bei seinen Servern an.',
  useServerOfIdentityProvider: 'Verwenden Sie einen der Server, bei denen er anmeldet.',
  renameOtherCollection: 'Benennen Sie die andere Sammlung um, und machen Sie es dann noch einmal rückgängig.',
  makeItAgain: 'Verbinden Sie den Server noch einmal, oder legen Sie die Sammlung neu an.',
  pasteList: 'Öffnen Sie sie, kopieren Sie alles, und fügen Sie es dort ein, wo Sie einen Server verbinden.',
  readAgain: 'Lesen Sie sie jedes Mal neu, wenn Sie sie sehen wollen.',
  useThisAddress: 'Verwenden Sie diese Adresse: {address}',
  pasteWholeFile:
    'Prüfen Sie, ob es die ganze Datei ist oder der ganze Teil in geschweiften Klammern, der die Server nennt.',
  signInWithBrowser: 'Melden Sie sich stattdessen mit einem Browser an. Er kann auf einem anderen Computer sein.',
  signInWithBrowserAndTell:
    'Melden Sie sich stattdessen mit einem Browser an, und sagen Sie es dem Betreiber des Dienstes.',
  // what is in between
  connectToNetwork: 'Verbinden Sie diesen Computer mit einem Netz, und versuchen Sie es noch einmal.',
  checkConnectionTryAgain: 'Prüfen Sie Ihre Internetverbindung, und versuchen Sie es noch einmal.',
  checkSpellingAndConnection: 'Prüfen Sie, ob die Adresse richtig geschrieben ist, und Ihre Internetverbindung.',
  checkAddressTryAgain: 'Prüfen Sie die Adresse, und versuchen Sie es noch einmal.',
  checkAddressAndConnection: 'Prüfen Sie die Adresse und Ihre Internetverbindung, und versuchen Sie es noch einmal.',
  serverMayHaveMoved:
    'Prüfen Sie die Adresse; vielleicht ist der Server umgezogen. Verwenden Sie die neue, wenn der Betreiber eine nennt.',
  checkAddressOrNetworkSignIn:
    'Prüfen Sie die Adresse, oder melden Sie sich zuerst in Ihrem Netz an, falls es eine Anmeldeseite zeigt.',
  checkProxySettings:
    'Prüfen Sie die Proxy-Einstellungen dieses Computers (HTTPS_PROXY, NO_PROXY), und versuchen Sie es noch einmal.',
  checkSpellingOrVpn:
    'Prüfen Sie die Schreibweise. Gehört der Name zu einem internen Netz, prüfen Sie, ob Sie darin sind, oder Ihr VPN.',
  checkServerIsRunning:
    'Prüfen Sie die Adresse mit ihrem Port und ob der Server läuft, und versuchen Sie es noch einmal.',
  checkConnectionOrVpn: 'Prüfen Sie Ihre Internetverbindung und, wenn der Server in einem anderen Netz ist, Ihr VPN.',
  checkPortOrFirewall:
    'Prüfen Sie die Adresse mit ihrem Port. Vielleicht liegt eine Firewall dazwischen, oder ein VPN ist nicht verbunden.',
  checkPortTryAgain: 'Prüfen Sie die Adresse mit ihrem Port, und versuchen Sie es noch einmal.',
  otherServiceAtPort: 'Prüfen Sie den Port in der Adresse: Dort antwortet ein anderer Dienst.',
  putHttpsInFrontOfAddress: 'Setzen Sie https:// vor die Adresse.',
  checkPortOrUseHttp:
    'Prüfen Sie den Port. Nur ein eigener Server ohne Verschlüsselung ist mit http:// davor erreichbar.',
  checkPortOrUseHttps:
    'Prüfen Sie den Port. Ist der Server über https erreichbar, setzen Sie https:// vor die Adresse.',
  renewCertificate: 'Prüfen Sie das Datum dieses Computers. Stimmt es, muss der Besitzer das Zertifikat erneuern.',
  replaceCertificate: 'Prüfen Sie das Datum dieses Computers. Stimmt es, muss der Besitzer das Zertifikat ersetzen.',
  writeProxyCredentials: 'Schreiben Sie beides in die Proxy-Einstellung: HTTPS_PROXY=http://user:password@host:port.',
  askProxyOwner:
    'Bitten Sie den Betreiber des Proxys, es zu erlauben, oder nennen Sie den Host in NO_PROXY, wenn er ohne Proxy erreichbar ist.',
  checkProxyConnection: 'Prüfen Sie die Verbindung zu ihm.',
  checkMcpEndpoint:
    'Prüfen Sie, ob das die Adresse seines MCP-Endpoints ist (oft endet sie auf /mcp), und versuchen Sie es noch einmal.',
  askOwnerWhetherAllowed: 'Fragen Sie den Betreiber des Servers, ob und von wo aus Sie ihn nutzen dürfen.',
  tryAgainLaterOrStart: 'Versuchen Sie es später noch einmal. Ist es Ihr eigener Server, prüfen Sie, ob er läuft.',
  signInToNetwork:
    'Hat Ihr Netz eine Anmeldeseite, melden Sie sich zuerst dort an. Bleibt es so, wenden Sie sich an den Betreiber des Servers.',
  tryNamedAddress:
    'Versuchen Sie {address}. Ist dort nichts, fragen Sie den Anbieter nach der Adresse mit Streamable HTTP.',
  tryAnotherAddress:
    'Versuchen Sie eine andere Adresse desselben Servers (oft endet sie auf /mcp). Ist dort nichts, fragen Sie den Anbieter nach der Adresse mit Streamable HTTP.',
  setClock:
    'Stellen Sie Datum und Uhrzeit, am besten automatisch. Zertifikate und Anmeldungen werden danach beurteilt.',
  finishOtherSignIn: 'Beenden Sie die andere Anmeldung oder das andere Programm, und versuchen Sie es noch einmal.',
  chooseOtherPort:
    'Beenden Sie dieses Programm, oder wählen Sie in den Einstellungen einen anderen Port; die Einträge, die ihn enthalten, werden dann erneuert.',
  turnOnRegistry: 'Schalten Sie sie in den Einstellungen ein, und suchen Sie noch einmal.',
  removeCollection: 'Entfernen Sie eine Sammlung, oder nehmen Sie Server aus dieser heraus.',
  dissolveGroup: 'Lösen Sie eine Gruppe auf, die Sie nicht brauchen, oder wählen Sie eine andere.',
  checkRegistryAddress: 'Prüfen Sie die Adresse des Verzeichnisses in den Einstellungen.',
  installCommand: 'Installieren Sie, was fehlt, oder verbinden Sie den Server mit einem anderen Befehl.',
  // patience
  tryAgainLater: 'Versuchen Sie es später noch einmal.',
  tryAgainInASecond: 'Versuchen Sie es in einer Sekunde noch einmal.',
  tryAgainInSeconds: 'Versuchen Sie es in {seconds} Sekunden noch einmal.',
  tryAgainLaterTellOwner: 'Versuchen Sie es später noch einmal. Bleibt es so, sagen Sie es dem Betreiber des Servers.',
  tryAgainAfterTellOwner:
    'Versuchen Sie es nach {time} noch einmal. Bleibt es so, sagen Sie es dem Betreiber des Servers.',
  tryAgainLaterTellService:
    'Versuchen Sie es später noch einmal. Bleibt es so, sagen Sie es dem Betreiber des Dienstes.',
  tryAgainLaterOrTellService: 'Versuchen Sie es später noch einmal, oder sagen Sie es dem Betreiber des Dienstes.',
  getNewVersionElsewhere:
    'Versuchen Sie es später noch einmal, oder holen Sie die neue Version dort, wo Sie diese herhaben.',
  answerInTerminal:
    'Führen Sie den Befehl einmal in einem Terminal aus und antworten Sie dort. Versuchen Sie es dann noch einmal.',
  tryAgainTellOwner: 'Versuchen Sie es noch einmal. Bleibt es so, sagen Sie es dem Betreiber des Servers.',
  tryAgainOwnerMustFix: 'Versuchen Sie es noch einmal. Bleibt es so, muss der Betreiber des Servers das beheben.',
  tryAgainTellServiceIfAgain:
    'Versuchen Sie es noch einmal. Passiert es wieder, sagen Sie es dem Betreiber des Dienstes.',
  startSignInAgain: 'Beginnen Sie die Anmeldung neu. Passiert es wieder, sagen Sie es dem Betreiber des Dienstes.',
  finishInOpenedPage: 'Schließen Sie die Anmeldung auf der Seite ab, die Postern geöffnet hat, oder beginnen Sie neu.',
  startAgainIfNotSignedIn: 'Wenn Sie nicht angemeldet sind, beginnen Sie neu.',
  allowAccess: 'Wenn das ein Versehen war, beginnen Sie neu, und erlauben Sie den Zugriff.',
  startAgainWheneverYou: 'Beginnen Sie neu, wann immer Sie möchten.',
  enterCommandAgain: 'Geben Sie den Befehl noch einmal ein, oder fügen Sie seine Liste noch einmal ein.',
  importAgainForTheRest: 'Führen Sie denselben Befehl noch einmal aus, um den Rest zu importieren.',
  finishNewerSignIn: 'Schließen Sie die neuere ab. Diese ist beendet, und nichts davon wurde gespeichert.',
  useOrEndOther: 'Verwenden Sie jenes, oder beenden Sie es, und versuchen Sie es noch einmal.',
  closeSome: 'Schließen Sie einige davon, und versuchen Sie es noch einmal.',
  lookBeforeAskingAgain: 'Vielleicht wurde es trotzdem ausgeführt; sehen Sie nach, bevor Sie noch einmal fragen.',
  waitOrEnd: 'Warten Sie, bis es fertig ist, oder beenden Sie es, und versuchen Sie es noch einmal.',
  newerInstalled: 'Nichts zu tun: Sie haben die neuere.',
  closePage: 'Schließen Sie die Seite. War es ein Fenster von Postern selbst, starten Sie Postern neu.',
  goOnWithSignIn:
    'Fahren Sie mit der Anmeldung fort. Geht das nicht und Sie vertrauen dem Dienst, verwenden Sie Ihren Browser.',
  askToolForLess:
    'Verlangen Sie weniger vom Tool, mit einer Grenze, einem Filter oder einer Seite unter seinen Eingaben, wenn es so etwas hat.',
  sendLess: 'Schicken Sie weniger auf einmal. Wie viel der Server annimmt, legt sein Betreiber fest.',
  readWhatToolSays: 'Lesen Sie, was das Tool sagt, und rufen Sie es noch einmal mit dem auf, was es verlangt.',
  readWhatServerSays: 'Lesen Sie, was der Server sagt. Hilft das nicht, wenden Sie sich an seinen Betreiber.',
  changeInput: 'Lesen Sie, was der Server sagt, und ändern Sie die Eingabe.',
  goOnWithoutOrAskOwner: 'Machen Sie ohne weiter, oder bitten Sie den Betreiber des Servers darum.',
  nameAnotherFile: 'Nennen Sie eine andere Datei, oder schaffen Sie Platz für diese.',
  checkAtServiceGiveTime:
    'Prüfen Sie beim Dienst, ob es geschehen ist. Wenn es länger braucht, geben Sie ihm mehr Zeit.',
  checkProgressAtService: 'Sehen Sie beim Dienst nach, wie weit es gekommen ist, bevor Sie es noch einmal aufrufen.',
  runCommandAgain: 'Sehen Sie nach, ob es so ist, und führen Sie den Befehl sonst noch einmal aus.',
  checkAtServiceBeforeCalling: 'Sehen Sie beim Dienst nach, ob es so ist, bevor Sie es noch einmal aufrufen.',
  restartProgram: 'Starten Sie das Programm neu.',
  goOnWithoutOrAllow:
    'Das Programm macht ohne es weiter. Erlauben können Sie es in Postern, unter „Berechtigungen“ dieses Servers.',
  askUserWhatInstead: 'Der Aufruf wurde nicht gemacht.',
  askUserToLook: 'Der Aufruf wurde nicht gemacht. Sehen Sie in Postern nach, wenn das Programm ihn wieder macht.',
  askUserToOpen: 'Der Aufruf wurde nicht gemacht. Öffnen Sie Postern, dann fragt es beim nächsten Mal.',
  askUserToUpdateApp: 'Aktualisieren Sie diese App.',
  moveToApplications:
    'Bewegen Sie Postern in den Ordner „Programme“, öffnen Sie es dort, und versuchen Sie es noch einmal.',
  // other people
  checkAddressOrOwnerMustFix: 'Prüfen Sie die Adresse. Stimmt sie, muss der Betreiber des Servers das beheben.',
  checkPortOrOwnerMustFixTls:
    'Prüfen Sie die Adresse mit ihrem Port. Stimmen sie, muss der Betreiber des Servers das beheben: mindestens TLS 1.2, ohne Client-Zertifikat.',
  askForAddressWithoutCertificate:
    'Fragen Sie den Betreiber des Servers nach einer Adresse, die kein Client-Zertifikat braucht.',
  doNotSignInContactOwner: 'Melden Sie sich nicht an, und wenden Sie sich an den Betreiber des Servers.',
  onlyOwnerCanFix: 'Nur der Betreiber des Servers kann das beheben. Schicken Sie ihm diese Meldung.',
  tryAgainContactOwner:
    'Versuchen Sie es noch einmal. Passiert es wieder, wenden Sie sich an den Betreiber des Servers.',
  tryAgainLaterContactOwner:
    'Versuchen Sie es später noch einmal. Bleibt es so, wenden Sie sich an den Betreiber des Servers.',
  askOwnerForNewAddress: 'Vielleicht ist der Server umgezogen: Fragen Sie seinen Betreiber nach der neuen Adresse.',
  doNotSignInServiceIssuer:
    'Melden Sie sich nicht an. Sagen Sie dem Betreiber des Servers, dass der Aussteller seines Anmeldedienstes falsch ist.',
  doNotSignInInformationIssuer:
    'Melden Sie sich nicht an. Sagen Sie dem Betreiber des Servers, dass der Aussteller in seinen Anmeldeangaben falsch ist.',
  doNotSignInAgain: 'Melden Sie sich dort nicht noch einmal an, und sagen Sie es dem Betreiber des Servers.',
  askServiceWithoutIt: 'Bitten Sie den Betreiber des Dienstes, Programme wie Postern ohne das zuzulassen.',
  tellOwnerAnswerTooLarge: 'Sagen Sie dem Betreiber des Servers, dass seine Antwort zu groß ist.',
  tellOwnerRegistrationRefused:
    'Sagen Sie dem Betreiber von {host}: Er lehnt die Registrierung ab, die er Postern selbst gegeben hat.',
  tryAgainTellOwnerOfHost: 'Versuchen Sie es noch einmal. Bleibt es so, sagen Sie es dem Betreiber von {host}.',
  tryAgainTellService: 'Versuchen Sie es noch einmal. Bleibt es so, sagen Sie es dem Betreiber des Dienstes.',
  tellServiceBoundNoKey:
    'Sagen Sie dem Betreiber des Dienstes, dass er den Zugriff an keinen Schlüssel gebunden hat, obwohl er das muss (DPoP).',
  setClockOfComputer:
    'Stellen Sie Datum und Uhrzeit dieses Computers, am besten automatisch: {host} hat eine andere Zeit.',
  askForBearerTokens: 'Fragen Sie den Betreiber des Dienstes nach Bearer-Tokens.',
  tellServiceNeedsHttps: 'Sagen Sie es dem Betreiber des Dienstes; die Adresse muss mit https:// beginnen.',
  restartPosternOrReport: 'Starten Sie Postern neu. Passiert es wieder, melden Sie es.',
  tryAgainOrReport:
    'Versuchen Sie es noch einmal. Passiert es wieder, melden Sie es mit den letzten Zeilen des Protokolls aus dem Protokollordner.',
  reportShortKey: 'Melden Sie das; Postern legt dort nur einen kurzen Schlüssel ab.',
  unlockKeychain:
    'Entsperren Sie ihn (unter Linux durch Anmelden am Desktop oder mit Seahorse oder KWallet; ohne Desktop steht es in der README), und versuchen Sie es noch einmal.',
  unlockKeychainOrMoveVault:
    'Entsperren Sie ihn (unter Linux durch Anmelden am Desktop oder mit Seahorse oder KWallet; ohne Desktop steht es in der README), und versuchen Sie es noch einmal. Kamen diese Anmeldungen von anderswo, nehmen Sie die Datei „vault“ aus dem Profilordner, und melden Sie sich neu an.',
  allowKeychain: 'Versuchen Sie es noch einmal, und erlauben Sie Postern den Zugriff, wenn das System fragt.',
  lookForPasswordWindow: 'Suchen Sie nach einem Fenster, das Ihr Passwort verlangt, und versuchen Sie es noch einmal.',
  giveSealingPassphrase: 'Verwenden Sie die, mit der sie verschlüsselt wurden. Nichts wurde geändert.',
  restoreKeyring:
    'Holen Sie sie aus einer Kopie zurück, oder nehmen Sie „keyring“ und „vault“ aus dem Profilordner, und melden Sie sich neu an.',
  makeFilePrivate:
    'Machen Sie sie zu Ihrer und für Sie allein lesbar (chmod 600), und überlegen Sie, wer sie gelesen haben kann.',
  checkKeyFile: 'Prüfen Sie, ob sie da ist, ob sie eine gewöhnliche Datei von Ihnen ist und nicht zu lang.',
  signInToServerAgain: 'Melden Sie sich bei diesem Server neu an.',
  fixItThere: 'Berichtigen Sie es dort. Bis dahin bleibt es, wie es ist, und der Rest geht ohne.',
  fixConfig:
    'Berichtigen Sie „config.json“ im Profilordner, oder nehmen Sie die Datei dort heraus, und verbinden Sie Ihre Server neu.',
  replaceLink:
    'Legen Sie die Datei selbst dorthin, oder nehmen Sie den Link aus dem Ordner, und versuchen Sie es noch einmal.',
  takePermissionAway:
    'Sehen Sie nach, was darin ist, und nehmen Sie dann dieses Recht weg (chmod go-w), oder wählen Sie einen anderen Ordner (POSTERN_HOME).',
  useNewerVersion: 'Verwenden Sie die neuere Version oder einen anderen Ordner (POSTERN_HOME).',
  freeSpace: 'Schaffen Sie Platz, und versuchen Sie es noch einmal.',
  checkFolderPermissions:
    'Prüfen Sie Besitzer und Rechte dieses Ordners, oder wählen Sie einen anderen (POSTERN_HOME).',
  useWhereMade:
    'Verwenden Sie sie dort, wo sie entstanden sind, oder nehmen Sie die Datei „vault“ aus dem Profilordner, und melden Sie sich neu an.',
  openWhereKeychainIs:
    'Sie sind nicht verloren. Öffnen Sie Postern dort, wo Ihr Schlüsselbund ist (unter Linux in Ihrer Desktop-Sitzung): Es löst eines ab, das ohne ihn läuft.',
  chooseOwnFolder:
    'Wählen Sie einen eigenen Ordner (POSTERN_HOME), oder starten Sie Postern als der Benutzer, dem er gehört.',
  moveOutOfFolder:
    'Nehmen Sie es aus dem Ordner, und versuchen Sie es noch einmal, oder wählen Sie einen anderen Ordner (POSTERN_HOME).',
  // files of programs
  fixFile: 'Berichtigen Sie die Datei, und versuchen Sie es noch einmal. Nichts wurde geändert.',
  putOrdinaryFile:
    'Legen Sie dort eine normale Datei an, in die Sie schreiben dürfen, und versuchen Sie es noch einmal.',
  previewAgain: 'Sehen Sie sich die Vorschau neu an, und versuchen Sie es noch einmal. Nichts wurde geändert.',
  tryAgainOrChangeByHand: 'Versuchen Sie es noch einmal, oder ändern Sie seine Konfiguration selbst.',
  changeByHand: 'Ändern Sie die Datei von Hand.',
  changeByHandWithCopy:
    'Ändern Sie die Datei von Hand. Eine Kopie der Datei von vor dieser Änderung liegt unter {copy}',
  nothingLeft: 'Es bleibt nichts zu tun.',
  nothingLeftWithCopy: 'Es bleibt nichts zu tun. Eine Kopie der Datei von vor dieser Änderung liegt unter {copy}',
  checkCommandSpelling: 'Prüfen Sie, ob der Befehl richtig geschrieben ist und ausgeführt werden darf.',
  shortenCommand:
    'Seine Wörter sind länger, als dieses System zulässt: Geben Sie sie in einer Datei oder über die Standardeingabe an.',
  signInToThatServer: 'Melden Sie sich bei diesem Server an.',
  signInToThoseServers: 'Melden Sie sich bei jedem dieser Server an.',
} as const satisfies Readonly<Record<Advice, string>>;
