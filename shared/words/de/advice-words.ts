import type { Advice } from '../en/advice-words.ts';

/** German counterpart of `../en/advice-words.ts`. */
export const adviceWords = {
  // What was typed
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
  givePrivateKey:
    'Verwenden Sie einen privaten Schlüssel als PEM oder JWK ohne Passphrase: EC (P-256, P-384, P-521) oder RSA ab 2048 Bit.',
  renewAssertionFile:
    'Sorgen Sie dafür, dass ein neues JWT für diesen Anmeldedienst in die Datei geschrieben wird und niemand sonst hineinschreiben kann.',
  chooseCertificateFile: 'Wählen Sie eine Datei mit einem oder mehreren Zertifikaten im PEM-Format.',
  askIdentityProvider:
    'Bitten Sie die Verwaltung Ihres Identitätsanbieters, Ihnen und Postern diesen Server zu erlauben.',
  tellIdentityProvider: 'Schicken Sie diese Meldung an die Verwaltung Ihres Identitätsanbieters.',
  signInToIdentityProvider:
    'Melden Sie sich beim Identitätsanbieter neu an. Dann funktionieren auch seine Server wieder.',
  useServerOfIdentityProvider: 'Verwenden Sie einen der Server, bei denen er Sie anmeldet.',
  renameOtherCollection: 'Benennen Sie die andere Sammlung um, und machen Sie es dann noch einmal rückgängig.',
  makeItAgain: 'Verbinden Sie den Server noch einmal, oder legen Sie die Sammlung neu an.',
  pasteList: 'Öffnen Sie die Datei, kopieren Sie alles, und fügen Sie es dort ein, wo Sie einen Server verbinden.',
  readAgain: 'Lesen Sie die Ressource neu, wenn Sie sie brauchen.',
  useThisAddress: 'Verwenden Sie stattdessen diese Adresse: {address}',
  pasteWholeFile:
    'Fügen Sie die ganze Datei ein oder den ganzen Teil in geschweiften Klammern, der die Server auflistet.',
  signInWithBrowser: 'Melden Sie sich stattdessen mit einem Browser an. Er kann auf einem anderen Computer laufen.',
  signInWithBrowserAndTell:
    'Melden Sie sich stattdessen mit einem Browser an, und wenden Sie sich an den Betreiber des Dienstes.',
  // What is in between
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
  checkPortOrUseHttp: 'Prüfen Sie den Port. Verwenden Sie http:// nur für einen eigenen Server ohne Verschlüsselung.',
  checkPortOrUseHttps: 'Prüfen Sie den Port. Nutzt der Server https, setzen Sie https:// vor die Adresse.',
  renewCertificate: 'Prüfen Sie das Datum dieses Computers. Stimmt es, muss der Besitzer das Zertifikat erneuern.',
  replaceCertificate: 'Prüfen Sie das Datum dieses Computers. Stimmt es, muss der Besitzer das Zertifikat ersetzen.',
  writeProxyCredentials: 'Schreiben Sie beides in die Proxy-Einstellung: HTTPS_PROXY=http://user:password@host:port.',
  askProxyOwner:
    'Bitten Sie die Verwaltung des Proxys, es zu erlauben, oder nehmen Sie den Host in NO_PROXY auf, wenn Sie ihn direkt erreichen.',
  checkProxyConnection: 'Prüfen Sie die Verbindung zum Server.',
  checkMcpEndpoint:
    'Prüfen Sie, ob das die Adresse des MCP-Endpoints ist, die oft auf /mcp endet. Versuchen Sie es dann noch einmal.',
  askOwnerWhetherAllowed: 'Fragen Sie den Betreiber des Servers, ob und von wo aus Sie ihn nutzen dürfen.',
  tryAgainLaterOrStart: 'Versuchen Sie es später noch einmal. Ist es Ihr eigener Server, prüfen Sie, ob er läuft.',
  signInToNetwork:
    'Hat Ihr Netz eine Anmeldeseite, melden Sie sich zuerst dort an. Bleibt es so, wenden Sie sich an den Betreiber des Servers.',
  tryNamedAddress:
    'Versuchen Sie {address}. Geht das nicht, fragen Sie den Anbieter nach der Adresse für Streamable HTTP.',
  tryAnotherAddress:
    'Versuchen Sie eine andere Adresse des Servers, die oft auf /mcp endet. Geht das nicht, fragen Sie den Anbieter nach der Adresse für Streamable HTTP.',
  setClock: 'Stellen Sie Datum und Uhrzeit, am besten automatisch. Zertifikate und Anmeldungen hängen davon ab.',
  finishOtherSignIn: 'Beenden Sie die andere Anmeldung oder das andere Programm. Versuchen Sie es dann noch einmal.',
  chooseOtherPort:
    'Beenden Sie dieses Programm, oder wählen Sie in den Einstellungen einen anderen Port. Postern erneuert dann die Einträge mit dem Port.',
  turnOnRegistry: 'Schalten Sie sie in den Einstellungen ein, und suchen Sie noch einmal.',
  removeCollection: 'Entfernen Sie eine Sammlung oder Server aus dieser.',
  dissolveGroup: 'Lösen Sie eine Gruppe auf, die Sie nicht brauchen, oder wählen Sie eine andere.',
  checkRegistryAddress: 'Prüfen Sie die Adresse des Verzeichnisses in den Einstellungen.',
  installCommand: 'Installieren Sie, was fehlt, oder verbinden Sie den Server mit einem anderen Befehl.',
  // Waiting
  tryAgainLater: 'Versuchen Sie es später noch einmal.',
  tryAgainInASecond: 'Versuchen Sie es in einer Sekunde noch einmal.',
  tryAgainInSeconds: 'Versuchen Sie es in {seconds} Sekunden noch einmal.',
  tryAgainLaterTellOwner:
    'Versuchen Sie es später noch einmal. Bleibt es so, wenden Sie sich an den Betreiber des Servers.',
  tryAgainAfterTellOwner:
    'Versuchen Sie es nach {time} noch einmal. Bleibt es so, wenden Sie sich an den Betreiber des Servers.',
  tryAgainLaterTellService:
    'Versuchen Sie es später noch einmal. Bleibt es so, wenden Sie sich an den Betreiber des Dienstes.',
  tryAgainLaterOrTellService:
    'Versuchen Sie es später noch einmal, oder wenden Sie sich an den Betreiber des Dienstes.',
  getNewVersionElsewhere:
    'Versuchen Sie es später noch einmal, oder holen Sie die neue Version dort, wo Sie diese herhaben.',
  answerInTerminal:
    'Führen Sie den Befehl einmal in einem Terminal aus und antworten Sie dort. Versuchen Sie es dann noch einmal.',
  tryAgainTellOwner: 'Versuchen Sie es noch einmal. Bleibt es so, wenden Sie sich an den Betreiber des Servers.',
  tryAgainOwnerMustFix: 'Versuchen Sie es noch einmal. Bleibt es so, kann es nur der Betreiber des Servers beheben.',
  tryAgainTellServiceIfAgain:
    'Versuchen Sie es noch einmal. Bleibt es so, wenden Sie sich an den Betreiber des Dienstes.',
  startSignInAgain: 'Beginnen Sie die Anmeldung neu. Bleibt es so, wenden Sie sich an den Betreiber des Dienstes.',
  finishInOpenedPage: 'Schließen Sie die Anmeldung auf der Seite ab, die Postern geöffnet hat, oder beginnen Sie neu.',
  startAgainIfNotSignedIn: 'Wenn Sie nicht angemeldet sind, beginnen Sie neu.',
  allowAccess: 'Wenn das ein Versehen war, beginnen Sie neu, und erlauben Sie den Zugriff.',
  startAgainWheneverYou: 'Beginnen Sie neu, wann immer Sie möchten.',
  enterCommandAgain: 'Geben Sie den Befehl noch einmal ein, oder fügen Sie die Liste noch einmal ein.',
  importAgainForTheRest: 'Führen Sie denselben Befehl noch einmal aus, um den Rest zu importieren.',
  finishNewerSignIn: 'Schließen Sie die neuere Anmeldung ab. Diese ist beendet, und nichts wurde gespeichert.',
  useOrEndOther: 'Verwenden Sie das andere Postern, oder beenden Sie es, und versuchen Sie es noch einmal.',
  closeSome: 'Beenden Sie einige davon, und versuchen Sie es noch einmal.',
  lookBeforeAskingAgain: 'Vielleicht wurde die Anfrage ausgeführt. Prüfen Sie das, bevor Sie es noch einmal versuchen.',
  waitOrEnd: 'Warten Sie, bis das andere Postern fertig ist, oder beenden Sie es. Versuchen Sie es dann noch einmal.',
  newerInstalled: 'Sie haben schon die neuere Version. Es gibt nichts zu tun.',
  closePage: 'Schließen Sie die Seite. War es ein Fenster von Postern selbst, starten Sie Postern neu.',
  goOnWithSignIn:
    'Fahren Sie mit der Anmeldung fort. Geht das nicht und Sie vertrauen dem Dienst, verwenden Sie Ihren Browser.',
  askToolForLess: 'Verlangen Sie weniger vom Tool, etwa mit einer Grenze, einem Filter oder einer Seitenangabe.',
  sendLess: 'Senden Sie weniger auf einmal. Die Grenze legt der Betreiber des Servers fest.',
  readWhatToolSays: 'Lesen Sie die Meldung des Tools, und rufen Sie es mit dem auf, was es verlangt.',
  readWhatServerSays: 'Lesen Sie die Meldung des Servers. Hilft das nicht, wenden Sie sich an seinen Betreiber.',
  changeInput: 'Lesen Sie die Meldung des Servers, und ändern Sie die Eingabe.',
  goOnWithoutOrAskOwner: 'Machen Sie ohne weiter, oder bitten Sie den Betreiber des Servers darum.',
  nameAnotherFile: 'Wählen Sie eine andere Datei, oder schaffen Sie Platz.',
  checkAtServiceGiveTime:
    'Prüfen Sie beim Dienst, ob es gelaufen ist. Braucht das Tool länger, erhöhen Sie das Zeitlimit.',
  checkProgressAtService: 'Prüfen Sie beim Dienst, wie weit es gekommen ist, bevor Sie es noch einmal aufrufen.',
  runCommandAgain: 'Prüfen Sie, ob es geklappt hat. Wenn nicht, führen Sie den Befehl noch einmal aus.',
  checkAtServiceBeforeCalling: 'Prüfen Sie beim Dienst, ob es gelaufen ist, bevor Sie es noch einmal aufrufen.',
  restartPostern: 'Starten Sie die App neu.',
  goOnWithoutOrAllow:
    'Die App macht ohne weiter. Erlauben können Sie es in Postern, unter „Berechtigungen“ dieses Servers.',
  askUserWhatInstead: 'Der Aufruf wurde nicht gemacht.',
  askUserToLook: 'Der Aufruf wurde nicht gemacht. Antworten Sie in Postern, wenn die App ihn noch einmal macht.',
  askUserToOpen: 'Der Aufruf wurde nicht gemacht. Öffnen Sie Postern, dann fragt es beim nächsten Mal.',
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
    'Versuchen Sie es noch einmal. Passiert es wieder, wenden Sie sich an den Betreiber des Servers.',
  tryAgainLaterContactOwner:
    'Versuchen Sie es später noch einmal. Bleibt es so, wenden Sie sich an den Betreiber des Servers.',
  askOwnerForNewAddress: 'Vielleicht ist der Server umgezogen. Fragen Sie seinen Betreiber nach der neuen Adresse.',
  doNotSignInServiceIssuer:
    'Melden Sie sich nicht an. Sagen Sie dem Betreiber des Servers, dass der Aussteller seines Anmeldedienstes falsch ist.',
  doNotSignInInformationIssuer:
    'Melden Sie sich nicht an. Sagen Sie dem Betreiber des Servers, dass der Aussteller in seinen Anmeldeangaben falsch ist.',
  doNotSignInAgain: 'Melden Sie sich dort nicht noch einmal an. Wenden Sie sich an den Betreiber des Servers.',
  askServiceWithoutIt: 'Bitten Sie den Betreiber des Dienstes, Apps wie Postern ohne das zuzulassen.',
  tellOwnerAnswerTooLarge: 'Sagen Sie dem Betreiber des Servers, dass seine Antwort zu groß ist.',
  tellOwnerRegistrationRefused:
    'Sagen Sie dem Betreiber von {host}, dass er die Registrierung ablehnt, die er Postern selbst gegeben hat.',
  tryAgainTellOwnerOfHost: 'Versuchen Sie es noch einmal. Bleibt es so, wenden Sie sich an den Betreiber von {host}.',
  tryAgainTellService: 'Versuchen Sie es noch einmal. Bleibt es so, wenden Sie sich an den Betreiber des Dienstes.',
  tellServiceBoundNoKey:
    'Sagen Sie dem Betreiber des Dienstes, dass sein Token an keinen Schlüssel gebunden ist, obwohl es das sein muss (DPoP).',
  setClockOfComputer:
    'Stellen Sie Datum und Uhrzeit dieses Computers, am besten automatisch. Die Uhr von {host} geht anders.',
  askForBearerTokens: 'Fragen Sie den Betreiber des Dienstes nach Bearer-Tokens.',
  tellServiceNeedsHttps: 'Sagen Sie dem Betreiber des Dienstes, dass die Adresse mit https:// beginnen muss.',
  restartPosternOrReport: 'Starten Sie Postern neu. Bleibt es so, melden Sie es.',
  tryAgainOrReport: 'Versuchen Sie es noch einmal. Bleibt es so, melden Sie es mit den letzten Zeilen des Protokolls.',
  reportShortKey: 'Melden Sie diesen Fehler. Postern legt dort nur einen kurzen Schlüssel ab.',
  unlockKeychain:
    'Entsperren Sie Ihren Schlüsselbund, und versuchen Sie es noch einmal. Unter Linux: am Desktop anmelden, oder mit Seahorse oder KWallet; ohne Desktop hilft docs/install.md.',
  unlockKeychainOrMoveVault:
    'Entsperren Sie Ihren Schlüsselbund, und versuchen Sie es noch einmal. Unter Linux: am Desktop anmelden, oder mit Seahorse oder KWallet; ohne Desktop hilft docs/install.md. Stammen die Anmeldungen von einem anderen Computer, nehmen Sie die Datei „vault“ aus dem Profilordner, und melden Sie sich neu an.',
  allowKeychain: 'Versuchen Sie es noch einmal, und erlauben Sie den Zugriff, wenn das System fragt.',
  lookForPasswordWindow: 'Suchen Sie nach einem Fenster, das Ihr Passwort verlangt, und versuchen Sie es noch einmal.',
  giveSealingPassphrase: 'Verwenden Sie die, mit der sie verschlüsselt wurden. Nichts wurde geändert.',
  restoreKeyring:
    'Stellen Sie die Datei aus einer Sicherung wieder her. Oder nehmen Sie „keyring“ und „vault“ aus dem Profilordner, und melden Sie sich neu an.',
  makeFilePrivate:
    'Sorgen Sie dafür, dass sie Ihnen gehört und nur für Sie lesbar ist (chmod 600). Überlegen Sie, wer sie gelesen haben kann.',
  checkKeyFile: 'Prüfen Sie, ob sie existiert, eine gewöhnliche Datei von Ihnen ist und nicht zu lang.',
  signInToServerAgain: 'Melden Sie sich bei diesem Server neu an.',
  fixItThere: 'Berichtigen Sie es in der Datei. Bis dahin lässt Postern es, wie es ist, und arbeitet ohne.',
  fixConfig:
    'Berichtigen Sie „config.json“ im Profilordner. Oder nehmen Sie die Datei dort heraus, und verbinden Sie Ihre Server neu.',
  replaceLink:
    'Ersetzen Sie den Link durch die Datei selbst, oder nehmen Sie ihn aus dem Ordner. Versuchen Sie es dann noch einmal.',
  takePermissionAway:
    'Prüfen Sie den Inhalt, und nehmen Sie dann dieses Recht weg (chmod go-w). Oder wählen Sie einen anderen Ordner (POSTERN_HOME).',
  useNewerVersion: 'Verwenden Sie die neuere Version oder einen anderen Ordner (POSTERN_HOME).',
  freeSpace: 'Schaffen Sie Platz, und versuchen Sie es noch einmal.',
  checkFolderPermissions:
    'Prüfen Sie Besitzer und Rechte dieses Ordners, oder wählen Sie einen anderen (POSTERN_HOME).',
  useWhereMade:
    'Verwenden Sie die Anmeldungen dort, wo sie entstanden sind. Oder nehmen Sie die Datei „vault“ aus dem Profilordner, und melden Sie sich neu an.',
  openWhereKeychainIs:
    'Sie sind nicht verloren. Öffnen Sie Postern dort, wo Ihr Schlüsselbund ist, unter Linux in Ihrer Desktop-Sitzung. Es löst ein Postern ab, das ohne Schlüsselbund läuft.',
  chooseOwnFolder:
    'Wählen Sie einen eigenen Ordner (POSTERN_HOME), oder starten Sie Postern als der Benutzer, dem er gehört.',
  moveOutOfFolder:
    'Nehmen Sie es aus dem Ordner, und versuchen Sie es noch einmal. Oder wählen Sie einen anderen Ordner (POSTERN_HOME).',
  // Files of AI apps
  fixFile: 'Berichtigen Sie die Datei, und versuchen Sie es noch einmal. Nichts wurde geändert.',
  putOrdinaryFile:
    'Ersetzen Sie sie durch eine normale Datei, in die Sie schreiben dürfen, und versuchen Sie es noch einmal.',
  previewAgain: 'Prüfen Sie die Änderungen neu. Nichts wurde geändert.',
  tryAgainOrChangeByHand: 'Versuchen Sie es noch einmal, oder ändern Sie die Konfiguration der App selbst.',
  changeByHand: 'Ändern Sie die Datei selbst.',
  changeByHandWithCopy: 'Ändern Sie die Datei selbst. Eine Kopie von vor dieser Änderung liegt unter {copy}',
  nothingLeft: 'Es bleibt nichts zu tun.',
  nothingLeftWithCopy: 'Es bleibt nichts zu tun. Eine Kopie der Datei von vor dieser Änderung liegt unter {copy}',
  checkCommandSpelling: 'Prüfen Sie die Schreibweise des Befehls, und ob Sie ihn ausführen dürfen.',
  shortenCommand:
    'Der Befehl ist länger, als dieses System zulässt. Übergeben Sie lange Werte in einer Datei oder über die Standardeingabe.',
  signInToThatServer: 'Melden Sie sich bei diesem Server an.',
  signInToThoseServers: 'Melden Sie sich bei jedem dieser Server an.',
} as const satisfies Readonly<Record<Advice, string>>;
