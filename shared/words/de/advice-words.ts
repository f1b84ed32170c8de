import type { Advice } from '../en/advice-words.ts';

/** German counterpart of `../en/advice-words.ts`. */
export const adviceWords = {
  // Input
  putHttpsInFront: 'Setzen Sie https:// davor.',
  replaceWithOwnValue: 'Ersetzen Sie ihn durch Ihren eigenen Wert.',
  replacePlaceholder:
    'Ersetzen Sie ihn durch Ihren eigenen Wert. Welcher das ist, sagt die Dokumentation des Dienstes.',
  copyAddressAgain: 'Kopieren Sie die Adresse des MCP-Servers noch einmal. Sie sieht aus wie https://example.com/mcp.',
  useHttpsAddress: 'Verwenden Sie die Adresse mit https://.',
  removeUserinfo: 'Entfernen Sie den Teil vor dem @.',
  removeFragment: 'Entfernen Sie das # und alles danach.',
  pasteAddressAlone: 'Fügen Sie nur die Serveradresse ein, höchstens 2.048 Zeichen.',
  checkPortNumber: 'Prüfen Sie die Zahl nach dem Doppelpunkt in der Adresse.',
  tellOwnerNeedsHttps: 'Sagen Sie dem Betreiber des Servers, dass seine Anmeldeadressen mit https:// beginnen müssen.',
  addressNeverAllowed: 'Prüfen Sie die Adresse. Mit Adressen dieser Art verbindet sich Postern nie.',
  typeItYourself: 'Prüfen Sie sie Buchstabe für Buchstabe, oder tippen Sie sie selbst ein.',
  useHeaderName:
    'Verwenden Sie einen Namen wie X-API-Key oder Authorization. Kopieren Sie den Wert noch einmal, ohne Zeilenumbruch und unsichtbare Zeichen.',
  usePrivateKey:
    'Verwenden Sie einen privaten Schlüssel als PEM oder JWK ohne Passphrase: EC (P-256, P-384, P-521) oder RSA ab 2048 Bit.',
  renewAssertionFile:
    'Sorgen Sie dafür, dass ein neues JWT für diesen Anmeldedienst in die Datei geschrieben wird und niemand sonst hineinschreiben kann.',
  chooseCertificateFile: 'Wählen Sie eine Datei mit einem oder mehreren Zertifikaten im PEM-Format.',
  askIdentityProvider:
    'Bitten Sie die Administration Ihres Identitätsanbieters, Ihnen und Postern die Nutzung dieses Servers zu erlauben.',
  tellIdentityProvider: 'Schicken Sie diese Meldung an die Administration Ihres Identitätsanbieters.',
  signInToIdentityProvider:
    'Melden Sie sich beim Identitätsanbieter erneut an. Dann funktionieren auch seine Server wieder.',
  connectIdentityProvider: 'Verbinden Sie den Identitätsanbieter wieder, und verbinden Sie dann diesen Server darüber.',
  useServerOfIdentityProvider: 'Verwenden Sie einen der Server, bei denen er Sie anmeldet.',
  chooseAnotherName: 'Wählen Sie einen anderen Namen.',
  renameOtherCollection: 'Benennen Sie die andere Sammlung um, und machen Sie es dann noch einmal rückgängig.',
  connectOrCreateAgain: 'Verbinden Sie den Server noch einmal, oder legen Sie die Sammlung neu an.',
  pasteList: 'Öffnen Sie die Datei, kopieren Sie alles, und fügen Sie es dort ein, wo Sie einen Server verbinden.',
  readAgain: 'Lesen Sie die Ressource neu, wenn Sie sie brauchen.',
  useThisAddress: 'Verwenden Sie stattdessen diese Adresse: {address}',
  pasteWholeFile:
    'Fügen Sie die ganze Datei ein oder den ganzen Teil in geschweiften Klammern, der die Server auflistet.',
  signInWithBrowser: 'Melden Sie sich stattdessen mit einem Browser an. Er kann auf einem anderen Computer laufen.',
  signInWithBrowserAndTell:
    'Melden Sie sich stattdessen mit einem Browser an, und wenden Sie sich an den Betreiber des Dienstes.',
  // Network
  connectToNetwork: 'Verbinden Sie diesen Computer mit einem Netz, und versuchen Sie es noch einmal.',
  checkConnectionTryAgain: 'Prüfen Sie Ihre Internetverbindung, und versuchen Sie es noch einmal.',
  checkSpellingAndConnection: 'Prüfen Sie die Schreibweise der Adresse und Ihre Internetverbindung.',
  checkAddressTryAgain: 'Prüfen Sie die Adresse, und versuchen Sie es noch einmal.',
  checkAddressAndConnection: 'Prüfen Sie die Adresse und Ihre Internetverbindung, und versuchen Sie es noch einmal.',
  serverMayHaveMoved: 'Prüfen Sie die Adresse. Ist der Server umgezogen, verwenden Sie die neue.',
  checkAddressOrNetworkSignIn:
    'Prüfen Sie die Adresse. Zeigt Ihr Netz eine Anmeldeseite, melden Sie sich zuerst dort an.',
  checkProxySettings:
    'Prüfen Sie die Proxy-Einstellungen dieses Computers (HTTPS_PROXY, NO_PROXY), und versuchen Sie es noch einmal.',
  checkSpellingOrVpn:
    'Prüfen Sie die Schreibweise. Prüfen Sie bei einem internen Namen, ob Sie in diesem Netz oder VPN sind.',
  checkServerIsRunning: 'Prüfen Sie Adresse und Port, und ob der Server läuft. Versuchen Sie es dann noch einmal.',
  checkConnectionOrVpn: 'Prüfen Sie Ihre Internetverbindung und, wenn der Server in einem anderen Netz ist, Ihr VPN.',
  checkPortOrFirewall:
    'Prüfen Sie Adresse und Port. Vielleicht blockiert eine Firewall, oder ein VPN ist nicht verbunden.',
  checkPortTryAgain: 'Prüfen Sie Adresse und Port, und versuchen Sie es noch einmal.',
  otherServiceAtPort: 'Prüfen Sie den Port in der Adresse. Dort antwortet ein anderer Dienst.',
  putHttpsInFrontOfAddress: 'Setzen Sie https:// vor die Adresse.',
  checkPortOrUseHttp:
    'Prüfen Sie den Port. Verwenden Sie http:// nur, wenn es Ihr eigener Server ohne Verschlüsselung ist.',
  checkPortOrUseHttps: 'Prüfen Sie den Port. Nutzt der Server https, setzen Sie https:// vor die Adresse.',
  renewCertificate: 'Prüfen Sie das Datum dieses Computers. Stimmt es, muss der Inhaber das Zertifikat erneuern.',
  replaceCertificate: 'Prüfen Sie das Datum dieses Computers. Stimmt es, muss der Inhaber das Zertifikat ersetzen.',
  writeProxyCredentials: 'Schreiben Sie beides in die Proxy-Einstellung: HTTPS_PROXY=http://user:password@host:port.',
  askProxyOwner:
    'Bitten Sie die Administration des Proxys, es zu erlauben, oder nehmen Sie den Host in NO_PROXY auf, wenn Sie ihn direkt erreichen.',
  checkMcpEndpoint:
    'Prüfen Sie, ob das die Adresse des MCP-Endpoints ist, die oft auf /mcp endet. Versuchen Sie es dann noch einmal.',
  askOwnerWhetherAllowed: 'Fragen Sie den Betreiber des Servers, ob und von wo aus Sie ihn nutzen dürfen.',
  tryAgainLaterOrStart: 'Versuchen Sie es später noch einmal. Ist es Ihr eigener Server, prüfen Sie, ob er läuft.',
  signInToNetwork:
    'Hat Ihr Netz eine Anmeldeseite, melden Sie sich zuerst dort an. Wenn das nicht hilft, wenden Sie sich an den Betreiber des Servers.',
  tryNamedAddress:
    'Versuchen Sie es mit {address}. Geht das nicht, fragen Sie den Anbieter nach der Adresse für Streamable HTTP.',
  tryAnotherAddress:
    'Versuchen Sie es mit einer anderen Adresse des Servers, die oft auf /mcp endet. Geht das nicht, fragen Sie den Anbieter nach der Adresse für Streamable HTTP.',
  setClock:
    'Stellen Sie Datum und Uhrzeit richtig ein, am besten automatisch. Zertifikate und Anmeldungen hängen davon ab.',
  finishOtherSignIn: 'Beenden Sie die andere Anmeldung oder das andere Programm. Versuchen Sie es dann noch einmal.',
  chooseOtherPort:
    'Beenden Sie dieses Programm, oder wählen Sie einen anderen Port (in den Einstellungen oder mit gatewayPort). Postern aktualisiert dann die Einträge, die ihn enthalten.',
  turnOnRegistry: 'Schalten Sie sie in den Einstellungen ein, und suchen Sie noch einmal.',
  removeCollection: 'Entfernen Sie eine Sammlung oder Server aus dieser.',
  dissolveGroup: 'Lösen Sie eine Gruppe auf, die Sie nicht brauchen, oder wählen Sie eine andere.',
  checkRegistryAddress: 'Prüfen Sie die Adresse des Verzeichnisses in den Einstellungen.',
  installCommand: 'Installieren Sie, was fehlt, oder verbinden Sie den Server mit einem anderen Befehl.',
  // Waiting
  tryAgainLater: 'Versuchen Sie es später noch einmal.',
  tryAgainInASecond: 'Versuchen Sie es in einer Sekunde noch einmal.',
  tryAgainInSeconds: 'Versuchen Sie es in {seconds} Sekunden noch einmal.',
  tryAgainAfterContactOwner:
    'Versuchen Sie es nach {time} noch einmal. Wenn das nicht hilft, wenden Sie sich an den Betreiber des Servers.',
  tryAgainLaterContactService:
    'Versuchen Sie es später noch einmal. Wenn das nicht hilft, wenden Sie sich an den Betreiber des Dienstes.',
  tryAgainLaterOrContactService:
    'Versuchen Sie es später noch einmal, oder wenden Sie sich an den Betreiber des Dienstes.',
  getNewVersionElsewhere:
    'Versuchen Sie es später noch einmal, oder holen Sie die neue Version dort, wo Sie diese bekommen haben.',
  answerInTerminal:
    'Führen Sie den Befehl einmal in einem Terminal aus und antworten Sie dort. Versuchen Sie es dann noch einmal.',
  tryAgainOwnerMustFix:
    'Versuchen Sie es noch einmal. Wenn das nicht hilft, kann es nur der Betreiber des Servers beheben.',
  startSignInAgain:
    'Starten Sie die Anmeldung neu. Wenn das nicht hilft, wenden Sie sich an den Betreiber des Dienstes.',
  finishInOpenedPage:
    'Schließen Sie die Anmeldung auf der Seite ab, die Postern geöffnet hat, oder starten Sie sie neu.',
  startAgainIfNotSignedIn: 'Wenn Sie nicht angemeldet sind, starten Sie die Anmeldung neu.',
  allowAccess: 'Wenn das ein Versehen war, starten Sie die Anmeldung neu, und erlauben Sie den Zugriff.',
  startAgainAnytime: 'Sie können jederzeit neu beginnen.',
  enterCommandAgain: 'Geben Sie den Befehl noch einmal ein, oder fügen Sie die Liste noch einmal ein.',
  importRestAgain: 'Führen Sie denselben Befehl noch einmal aus, um den Rest zu importieren.',
  finishNewerSignIn: 'Schließen Sie die neuere Anmeldung ab. Diese ist beendet, und nichts wurde gespeichert.',
  useOrQuitOther: 'Verwenden Sie das andere Postern, oder beenden Sie es, und versuchen Sie es noch einmal.',
  quitSome: 'Beenden Sie einige davon, und versuchen Sie es noch einmal.',
  checkBeforeRetrying: 'Vielleicht wurde die Anfrage ausgeführt. Prüfen Sie das, bevor Sie es noch einmal versuchen.',
  waitOrQuitOther:
    'Warten Sie, bis das andere Postern fertig ist, oder beenden Sie es. Versuchen Sie es dann noch einmal.',
  newerInstalled: 'Sie haben schon die neuere Version. Es gibt nichts zu tun.',
  closePage: 'Schließen Sie die Seite. War es ein Fenster von Postern selbst, starten Sie Postern neu.',
  continueSignIn:
    'Fahren Sie mit der Anmeldung fort. Geht das nicht und Sie vertrauen dem Dienst, verwenden Sie Ihren Browser.',
  askToolForLess: 'Fordern Sie vom Tool weniger an, etwa mit einem Limit, einem Filter oder einer Seitenangabe.',
  sendLess: 'Senden Sie weniger auf einmal. Das Limit legt der Betreiber des Servers fest.',
  readToolMessage: 'Lesen Sie die Meldung des Tools, passen Sie die Eingabe an, und rufen Sie es dann noch einmal auf.',
  readServerMessage: 'Lesen Sie die Meldung des Servers. Hilft das nicht, wenden Sie sich an seinen Betreiber.',
  changeInput: 'Lesen Sie die Meldung des Servers, und ändern Sie die Eingabe.',
  continueWithoutOrAskOwner: 'Machen Sie ohne diese Funktion weiter, oder bitten Sie den Betreiber des Servers darum.',
  chooseAnotherFile: 'Wählen Sie eine andere Datei, oder geben Sie Speicherplatz frei.',
  checkAtServiceRaiseLimit:
    'Prüfen Sie beim Dienst, ob es gelaufen ist. Braucht das Tool länger, erhöhen Sie das Zeitlimit dort, wo Sie es aufgerufen haben.',
  checkProgressAtService: 'Prüfen Sie beim Dienst, wie weit es gekommen ist, bevor Sie es noch einmal aufrufen.',
  runCommandAgain: 'Prüfen Sie, ob es geklappt hat. Wenn nicht, führen Sie den Befehl noch einmal aus.',
  checkAtServiceBeforeCalling: 'Prüfen Sie beim Dienst, ob es gelaufen ist, bevor Sie es noch einmal aufrufen.',
  restartApp: 'Starten Sie die App neu.',
  continueWithoutOrAllow:
    'Die App macht ohne das weiter. Sie können es in Postern unter „Berechtigungen“ dieses Servers erlauben.',
  askUserWhatInstead: 'Der Aufruf wurde nicht ausgeführt.',
  askUserToCheck: 'Der Aufruf wurde nicht ausgeführt. Antworten Sie in Postern, wenn die App es noch einmal versucht.',
  askUserToOpen: 'Der Aufruf wurde nicht ausgeführt. Öffnen Sie Postern, dann fragt es Sie beim nächsten Mal.',
  askUserToUpdateApp: 'Aktualisieren Sie diese App.',
  moveToApplications:
    'Bewegen Sie Postern in den Ordner „Programme“, und öffnen Sie es dort. Versuchen Sie es dann noch einmal.',
  // Asking others
  checkAddressOrOwnerMustFix: 'Prüfen Sie die Adresse. Stimmt sie, kann es nur der Betreiber des Servers beheben.',
  checkPortOrOwnerMustFixTls:
    'Prüfen Sie Adresse und Port. Stimmen sie, muss der Betreiber des Servers TLS ab 1.2 ohne Client-Zertifikat unterstützen.',
  askForAddressWithoutCertificate:
    'Fragen Sie den Betreiber des Servers nach einer Adresse, die kein Client-Zertifikat braucht.',
  doNotSignInContactOwner: 'Melden Sie sich nicht an. Wenden Sie sich an den Betreiber des Servers.',
  onlyOwnerCanFix: 'Nur der Betreiber des Servers kann das beheben. Schicken Sie ihm diese Meldung.',
  tryAgainContactOwner:
    'Versuchen Sie es noch einmal. Wenn das nicht hilft, wenden Sie sich an den Betreiber des Servers.',
  tryAgainLaterContactOwner:
    'Versuchen Sie es später noch einmal. Wenn das nicht hilft, wenden Sie sich an den Betreiber des Servers.',
  askOwnerForNewAddress: 'Vielleicht ist der Server umgezogen. Fragen Sie seinen Betreiber nach der neuen Adresse.',
  doNotSignInServiceIssuer:
    'Melden Sie sich nicht an. Sagen Sie dem Betreiber des Servers, dass der Aussteller seines Anmeldedienstes falsch ist.',
  doNotSignInInformationIssuer:
    'Melden Sie sich nicht an. Sagen Sie dem Betreiber des Servers, dass der Aussteller in seinen Anmeldeangaben falsch ist.',
  doNotSignInAgain: 'Melden Sie sich dort nicht noch einmal an. Wenden Sie sich an den Betreiber des Servers.',
  askServiceWithoutIt: 'Bitten Sie den Betreiber des Dienstes, Apps wie Postern ohne das zuzulassen.',
  tellOwnerResponseTooLarge: 'Sagen Sie dem Betreiber des Servers, dass seine Antwort zu groß ist.',
  tellOwnerRegistrationRefused:
    'Sagen Sie dem Betreiber von {host}, dass er die Registrierung ablehnt, die er Postern selbst gegeben hat.',
  tryAgainContactOwnerOfHost:
    'Versuchen Sie es noch einmal. Wenn das nicht hilft, wenden Sie sich an den Betreiber von {host}.',
  tryAgainContactService:
    'Versuchen Sie es noch einmal. Wenn das nicht hilft, wenden Sie sich an den Betreiber des Dienstes.',
  tellServiceTokenUnbound:
    'Sagen Sie dem Betreiber des Dienstes, dass sein Token an keinen Schlüssel gebunden ist, obwohl es das sein muss (DPoP).',
  setClockOfComputer:
    'Stellen Sie Datum und Uhrzeit dieses Computers richtig ein, am besten automatisch. Die Uhr von {host} weicht ab.',
  askForBearerTokens: 'Fragen Sie den Betreiber des Dienstes nach Bearer-Tokens.',
  tellServiceNeedsHttps: 'Sagen Sie dem Betreiber des Dienstes, dass die Adresse mit https:// beginnen muss.',
  restartPosternOrReport: 'Starten Sie Postern neu. Wenn das nicht hilft, melden Sie den Fehler.',
  tryAgainOrReport:
    'Versuchen Sie es noch einmal. Wenn das nicht hilft, melden Sie den Fehler mit den letzten Zeilen des Protokolls.',
  reportShortKey: 'Melden Sie diesen Fehler. Postern legt dort nur einen kurzen Schlüssel ab.',
  unlockKeychain:
    'Entsperren Sie Ihren Schlüsselbund, und versuchen Sie es noch einmal. Unter Linux melden Sie sich am Desktop an oder nutzen Seahorse oder KWallet; ohne Desktop hilft der Abschnitt „Where secrets are stored“ der Installationsanleitung.',
  unlockKeychainOrMoveVault:
    'Entsperren Sie Ihren Schlüsselbund, und versuchen Sie es noch einmal. Unter Linux melden Sie sich am Desktop an oder nutzen Seahorse oder KWallet; ohne Desktop hilft der Abschnitt „Where secrets are stored“ der Installationsanleitung. Stammen die Anmeldungen von einem anderen Computer, verschieben Sie die Datei „vault“ aus dem Profilordner, und melden Sie sich erneut an.',
  allowKeychain: 'Versuchen Sie es noch einmal, und erlauben Sie den Zugriff, wenn das System fragt.',
  findPasswordWindow: 'Suchen Sie nach einem Fenster, das Ihr Passwort verlangt, und versuchen Sie es noch einmal.',
  useRightVaultSecret:
    'Verwenden Sie die Passphrase oder Schlüsseldatei, mit der sie verschlüsselt wurden. Nichts wurde geändert.',
  restoreKeyring:
    'Stellen Sie die Datei aus einer Sicherung wieder her. Oder verschieben Sie „keyring“ und „vault“ aus dem Profilordner, und melden Sie sich erneut an.',
  makeFilePrivate:
    'Sorgen Sie dafür, dass sie Ihnen gehört und nur für Sie lesbar ist (chmod 600). Überlegen Sie, wer sie gelesen haben kann.',
  checkKeyFile: 'Prüfen Sie, ob die Datei existiert, Ihnen gehört, eine normale Datei ist und nicht zu groß ist.',
  signInToServerAgain: 'Melden Sie sich bei diesem Server erneut an.',
  fixFilePart: 'Korrigieren Sie die Datei. Bis dahin ignoriert Postern diesen Teil und lässt ihn unverändert.',
  fixConfig:
    'Korrigieren Sie „config.json“ im Profilordner. Oder verschieben Sie die Datei an einen anderen Ort, und verbinden Sie Ihre Server neu.',
  replaceLink:
    'Ersetzen Sie den Link durch die Datei selbst, oder verschieben Sie ihn aus dem Ordner. Versuchen Sie es dann noch einmal.',
  removeWritePermission:
    'Prüfen Sie den Inhalt, und entfernen Sie dann dieses Schreibrecht (chmod go-w). Oder wählen Sie einen anderen Ordner (POSTERN_HOME).',
  useNewerVersion: 'Verwenden Sie die neuere Version oder einen anderen Ordner (POSTERN_HOME).',
  freeSpace: 'Geben Sie Speicherplatz frei, und versuchen Sie es noch einmal.',
  checkFolderPermissions:
    'Prüfen Sie Besitzer und Rechte dieses Ordners, oder wählen Sie einen anderen (POSTERN_HOME).',
  useOnOriginalComputer:
    'Verwenden Sie die Anmeldungen auf dem Computer, auf dem Sie sich angemeldet haben. Oder verschieben Sie die Datei „vault“ aus dem Profilordner, und melden Sie sich erneut an.',
  moveVaultAway: 'Verschieben Sie die Datei „vault“ aus dem Profilordner, und melden Sie sich erneut an.',
  openWithKeychain:
    'Sie sind nicht verloren. Öffnen Sie Postern dort, wo Ihr Schlüsselbund verfügbar ist (unter Linux in Ihrer Desktop-Sitzung). Es löst ein Postern ab, das ohne Schlüsselbund läuft.',
  chooseOwnFolder:
    'Wählen Sie einen eigenen Ordner (POSTERN_HOME), oder starten Sie Postern als der Benutzer, dem er gehört.',
  moveOutOfFolder:
    'Verschieben Sie es aus dem Ordner, und versuchen Sie es noch einmal. Oder wählen Sie einen anderen Ordner (POSTERN_HOME).',
  // Files of AI apps
  fixFile: 'Korrigieren Sie die Datei, und versuchen Sie es noch einmal. Nichts wurde geändert.',
  useRegularFile:
    'Sorgen Sie dafür, dass es eine normale Datei in Ihrem persönlichen Ordner ist, in die Sie schreiben dürfen und die nicht zu groß ist. Versuchen Sie es dann noch einmal.',
  previewAgain: 'Prüfen Sie die Änderungen neu. Nichts wurde geändert.',
  tryAgainOrEditFile: 'Versuchen Sie es noch einmal, oder ändern Sie die Konfiguration der App selbst.',
  editFile: 'Ändern Sie die Datei selbst.',
  editFileWithCopy: 'Ändern Sie die Datei selbst. Eine Kopie von vor dieser Änderung liegt unter {copy}',
  nothingLeft: 'Es bleibt nichts zu tun.',
  nothingLeftWithCopy: 'Es bleibt nichts zu tun. Eine Kopie der Datei von vor dieser Änderung liegt unter {copy}',
  checkCommandSpelling: 'Prüfen Sie die Schreibweise des Befehls, und ob Sie ihn ausführen dürfen.',
  shortenCommand:
    'Der Befehl ist länger, als dieses System zulässt. Übergeben Sie lange Werte in einer Datei oder über die Standardeingabe.',
  signInToThatServer: 'Melden Sie sich bei diesem Server an.',
  signInToThoseServers: 'Melden Sie sich bei jedem dieser Server an.',
} as const satisfies Readonly<Record<Advice, string>>;
