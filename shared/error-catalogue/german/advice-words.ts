/**
 * The steps that every surface says in the same words, in German, by their English sentences: `advise` takes no other.
 * `{name}` stands for a value.
 */
export const adviceWords = {
  // what was typed
  'Put https:// in front of it.': 'Setzen Sie https:// davor.',
  'Put your own value in its place. The documentation of the service says which.':
    'Setzen Sie Ihren eigenen Wert dafür ein. Welcher das ist, sagt die Dokumentation des Dienstes.',
  'Copy the address of the MCP server again; it looks like https://example.com/mcp.':
    'Kopieren Sie die Adresse des MCP-Servers noch einmal; sie sieht aus wie https://example.com/mcp.',
  'Use the address with https:// in front.': 'Verwenden Sie die Adresse mit https:// davor.',
  'Remove the part before the @ sign. Postern signs in another way.':
    'Entfernen Sie den Teil vor dem @. Postern meldet sich anders an.',
  'Remove the # and what follows it.': 'Entfernen Sie das # und was danach kommt.',
  'Check that only the server address was pasted; 2,048 characters are the most.':
    'Prüfen Sie, ob nur die Serveradresse eingefügt wurde; mehr als 2.048 Zeichen gehen nicht.',
  'Check the number after the colon in the address.': 'Prüfen Sie die Zahl nach dem Doppelpunkt in der Adresse.',
  'Tell the owner of the server; its sign-in addresses must start with https://.':
    'Sagen Sie es dem Betreiber des Servers; seine Anmeldeadressen müssen mit https:// beginnen.',
  'Check the address. This kind of address is never allowed.':
    'Prüfen Sie die Adresse. Adressen dieser Art sind nie erlaubt.',
  'Check it letter by letter, or type it yourself.':
    'Prüfen Sie sie Buchstabe für Buchstabe, oder tippen Sie sie selbst ein.',
  'Use a name such as X-API-Key or Authorization, and copy the value again: visible characters without line breaks.':
    'Verwenden Sie einen Namen wie X-API-Key oder Authorization, und kopieren Sie den Wert noch einmal: sichtbare Zeichen ohne Zeilenumbruch.',
  'Give the private key as PEM or JWK, without a passphrase: EC (P-256, P-384, P-521) or RSA with 2048 bits or more.':
    'Geben Sie den privaten Schlüssel als PEM oder JWK an, ohne Passphrase: EC (P-256, P-384, P-521) oder RSA ab 2048 Bit.',
  'See that whatever writes this file puts a new JWT for this sign-in service there, and that nobody else can write it.':
    'Sorgen Sie dafür, dass das Programm, das diese Datei schreibt, ein neues JWT für diesen Anmeldedienst hineinschreibt und niemand sonst sie schreiben kann.',
  'Choose a file with one or more certificates in PEM format.':
    'Wählen Sie eine Datei mit einem oder mehreren Zertifikaten im PEM-Format.',
  'Ask whoever runs the identity provider to allow you and Postern this server.':
    'Bitten Sie den Betreiber des Identitätsanbieters, Ihnen und Postern diesen Server zu erlauben.',
  'Tell whoever runs the identity provider what it answers.':
    'Sagen Sie dem Betreiber des Identitätsanbieters, was er antwortet.',
  'Sign in to the identity provider again; it then signs in for its servers by itself.':
    'Melden Sie sich beim Identitätsanbieter neu an; er meldet dann von selbst bei seinen Servern an.',
  'Use one of the servers that it signs in for.': 'Verwenden Sie einen der Server, bei denen er anmeldet.',
  'Open it, copy all of it, and paste it where you connect a server.':
    'Öffnen Sie sie, kopieren Sie alles, und fügen Sie es dort ein, wo Sie einen Server verbinden.',
  'Read it again whenever you want to see it.': 'Lesen Sie sie jedes Mal neu, wenn Sie sie sehen wollen.',
  'Use this address: {address}': 'Verwenden Sie diese Adresse: {address}',
  'Check that it is the whole file, or the whole part in braces that names the servers.':
    'Prüfen Sie, ob es die ganze Datei ist oder der ganze Teil in geschweiften Klammern, der die Server nennt.',
  'Sign in with a browser instead. It may be one on another computer.':
    'Melden Sie sich stattdessen mit einem Browser an. Er kann auf einem anderen Computer sein.',
  'Sign in with a browser instead, and tell the owner of the service.':
    'Melden Sie sich stattdessen mit einem Browser an, und sagen Sie es dem Betreiber des Dienstes.',
  // what is in between
  'Connect this computer to a network, then try again.':
    'Verbinden Sie diesen Computer mit einem Netz, und versuchen Sie es noch einmal.',
  'Check your internet connection, then try again.':
    'Prüfen Sie Ihre Internetverbindung, und versuchen Sie es noch einmal.',
  'Check the spelling of the address and your internet connection.':
    'Prüfen Sie, ob die Adresse richtig geschrieben ist, und Ihre Internetverbindung.',
  'Check the address, then try again.': 'Prüfen Sie die Adresse, und versuchen Sie es noch einmal.',
  'Check the address and your internet connection, then try again.':
    'Prüfen Sie die Adresse und Ihre Internetverbindung, und versuchen Sie es noch einmal.',
  'Check the address; the server may have moved. Use its new address if its owner names one.':
    'Prüfen Sie die Adresse; vielleicht ist der Server umgezogen. Verwenden Sie die neue, wenn der Betreiber eine nennt.',
  'Check the address, or sign in to your network first if it shows a sign-in page.':
    'Prüfen Sie die Adresse, oder melden Sie sich zuerst in Ihrem Netz an, falls es eine Anmeldeseite zeigt.',
  'Check the proxy settings of this computer (HTTPS_PROXY, NO_PROXY), then try again.':
    'Prüfen Sie die Proxy-Einstellungen dieses Computers (HTTPS_PROXY, NO_PROXY), und versuchen Sie es noch einmal.',
  'Check the spelling. If the name belongs to an internal network, check that you are on it, or your VPN.':
    'Prüfen Sie die Schreibweise. Gehört der Name zu einem internen Netz, prüfen Sie, ob Sie darin sind, oder Ihr VPN.',
  'Check the address and its port, and that the server is running, then try again.':
    'Prüfen Sie die Adresse mit ihrem Port und ob der Server läuft, und versuchen Sie es noch einmal.',
  'Check your internet connection, and your VPN if the server is in another network.':
    'Prüfen Sie Ihre Internetverbindung und, wenn der Server in einem anderen Netz ist, Ihr VPN.',
  'Check the address and its port. A firewall, or a VPN that is not connected, may be in between.':
    'Prüfen Sie die Adresse mit ihrem Port. Vielleicht liegt eine Firewall dazwischen, oder ein VPN ist nicht verbunden.',
  'Check the address and its port, then try again.':
    'Prüfen Sie die Adresse mit ihrem Port, und versuchen Sie es noch einmal.',
  'Check the port in the address: another service answers there.':
    'Prüfen Sie den Port in der Adresse: Dort antwortet ein anderer Dienst.',
  'Put https:// in front of the address.': 'Setzen Sie https:// vor die Adresse.',
  'Check the port. Only a server of your own that has no encryption can be reached with http:// in front.':
    'Prüfen Sie den Port. Nur ein eigener Server ohne Verschlüsselung ist mit http:// davor erreichbar.',
  'Check the port. If the server is reached by https, put https:// in front of the address.':
    'Prüfen Sie den Port. Ist der Server über https erreichbar, setzen Sie https:// vor die Adresse.',
  'Check the date of this computer. If it is right, the owner of the certificate has to renew it.':
    'Prüfen Sie das Datum dieses Computers. Stimmt es, muss der Besitzer das Zertifikat erneuern.',
  'Check the date of this computer. If it is right, the owner of the certificate has to replace it.':
    'Prüfen Sie das Datum dieses Computers. Stimmt es, muss der Besitzer das Zertifikat ersetzen.',
  'Write them into the proxy setting: HTTPS_PROXY=http://user:password@host:port.':
    'Schreiben Sie beides in die Proxy-Einstellung: HTTPS_PROXY=http://user:password@host:port.',
  'Ask whoever runs the proxy to allow it, or name the host in NO_PROXY if it can be reached without.':
    'Bitten Sie den Betreiber des Proxys, es zu erlauben, oder nennen Sie den Host in NO_PROXY, wenn er ohne Proxy erreichbar ist.',
  'Check the connection to it.': 'Prüfen Sie die Verbindung zu ihm.',
  'Check that the address is the one of its MCP endpoint (often it ends in /mcp), then try again.':
    'Prüfen Sie, ob das die Adresse seines MCP-Endpoints ist (oft endet sie auf /mcp), und versuchen Sie es noch einmal.',
  'Ask the owner of the server whether you may use it, and from where.':
    'Fragen Sie den Betreiber des Servers, ob und von wo aus Sie ihn nutzen dürfen.',
  'Try again later. If the server is yours, check that it is running.':
    'Versuchen Sie es später noch einmal. Ist es Ihr eigener Server, prüfen Sie, ob er läuft.',
  'If your network has a sign-in page, sign in there first. If it keeps happening, contact the server’s owner.':
    'Hat Ihr Netz eine Anmeldeseite, melden Sie sich zuerst dort an. Bleibt es so, wenden Sie sich an den Betreiber des Servers.',
  'Try {address}. If there is nothing, ask its provider for the address with streamable HTTP.':
    'Versuchen Sie {address}. Ist dort nichts, fragen Sie den Anbieter nach der Adresse mit Streamable HTTP.',
  'Try another address of the same server (often it ends in /mcp). If there is nothing, ask its provider for the address with streamable HTTP.':
    'Versuchen Sie eine andere Adresse desselben Servers (oft endet sie auf /mcp). Ist dort nichts, fragen Sie den Anbieter nach der Adresse mit Streamable HTTP.',
  'Set date and time, best automatically. Certificates and sign-ins are judged by it.':
    'Stellen Sie Datum und Uhrzeit, am besten automatisch. Zertifikate und Anmeldungen werden danach beurteilt.',
  'Finish or cancel the other sign-in, or close the other program, then try again.':
    'Beenden Sie die andere Anmeldung oder das andere Programm, und versuchen Sie es noch einmal.',
  'End that program, or choose another port in the settings; the entries that hold it are then renewed.':
    'Beenden Sie dieses Programm, oder wählen Sie in den Einstellungen einen anderen Port; die Einträge, die ihn enthalten, werden dann erneuert.',
  'Turn it on in the settings, then search again.':
    'Schalten Sie sie in den Einstellungen ein, und suchen Sie noch einmal.',
  'Remove a collection, or take servers out of this one.':
    'Entfernen Sie eine Sammlung, oder nehmen Sie Server aus dieser heraus.',
  'Dissolve a group that you do not need, or choose another one.':
    'Lösen Sie eine Gruppe auf, die Sie nicht brauchen, oder wählen Sie eine andere.',
  'Check the address of the registry in the settings.':
    'Prüfen Sie die Adresse des Verzeichnisses in den Einstellungen.',
  'Install what is missing, or connect the server with another command.':
    'Installieren Sie, was fehlt, oder verbinden Sie den Server mit einem anderen Befehl.',
} as const;

/** Steps like those of `advice-words.ts`: patience, other people, and what is kept on this computer. */
export const waitingWords = {
  // patience
  'Try again later.': 'Versuchen Sie es später noch einmal.',
  'Try again in a second.': 'Versuchen Sie es in einer Sekunde noch einmal.',
  'Try again in {seconds} seconds.': 'Versuchen Sie es in {seconds} Sekunden noch einmal.',
  'Try again later. If it stays so, tell the owner of the server.':
    'Versuchen Sie es später noch einmal. Bleibt es so, sagen Sie es dem Betreiber des Servers.',
  'Try again after {time}. If it stays so, tell the owner of the server.':
    'Versuchen Sie es nach {time} noch einmal. Bleibt es so, sagen Sie es dem Betreiber des Servers.',
  'Try again later. If it stays so, tell the owner of the service.':
    'Versuchen Sie es später noch einmal. Bleibt es so, sagen Sie es dem Betreiber des Dienstes.',
  'Try again later, or tell the owner of the service.':
    'Versuchen Sie es später noch einmal, oder sagen Sie es dem Betreiber des Dienstes.',
  'Try again later, or get the new version from the place where you got this one.':
    'Versuchen Sie es später noch einmal, oder holen Sie die neue Version dort, wo Sie diese herhaben.',
  'Try again. If it stays so, tell the owner of the server.':
    'Versuchen Sie es noch einmal. Bleibt es so, sagen Sie es dem Betreiber des Servers.',
  'Try again. If it stays so, the owner of the server needs to fix this.':
    'Versuchen Sie es noch einmal. Bleibt es so, muss der Betreiber des Servers das beheben.',
  'Try again. If it happens again, tell the owner of the service.':
    'Versuchen Sie es noch einmal. Passiert es wieder, sagen Sie es dem Betreiber des Dienstes.',
  'Start the sign-in again. If it happens again, tell the owner of the service.':
    'Beginnen Sie die Anmeldung neu. Passiert es wieder, sagen Sie es dem Betreiber des Dienstes.',
  'Finish the sign-in in the page that Postern opened, or start it again.':
    'Schließen Sie die Anmeldung auf der Seite ab, die Postern geöffnet hat, oder beginnen Sie neu.',
  'If you are not signed in, start again.': 'Wenn Sie nicht angemeldet sind, beginnen Sie neu.',
  'If that was a mistake, start again and allow the access.':
    'Wenn das ein Versehen war, beginnen Sie neu, und erlauben Sie den Zugriff.',
  'Start again whenever you like.': 'Beginnen Sie neu, wann immer Sie möchten.',
  'Finish the newer one. This one has ended, and nothing of it was saved.':
    'Schließen Sie die neuere ab. Diese ist beendet, und nichts davon wurde gespeichert.',
  'Use that one, or end it, then try again.':
    'Verwenden Sie jenes, oder beenden Sie es, und versuchen Sie es noch einmal.',
  'Close some of them, then try again.': 'Schließen Sie einige davon, und versuchen Sie es noch einmal.',
  'What it asked for may have been done all the same; look before you ask again.':
    'Vielleicht wurde es trotzdem ausgeführt; sehen Sie nach, bevor Sie noch einmal fragen.',
  'Wait for it or end it, then try again.':
    'Warten Sie, bis es fertig ist, oder beenden Sie es, und versuchen Sie es noch einmal.',
  'Nothing to do: you have the newer one.': 'Nichts zu tun: Sie haben die neuere.',
  'Close the page. If it was a window of Postern itself, restart Postern.':
    'Schließen Sie die Seite. War es ein Fenster von Postern selbst, starten Sie Postern neu.',
  'Go on with the sign-in. If that is not possible and you trust the service, use your own browser.':
    'Fahren Sie mit der Anmeldung fort. Geht das nicht und Sie vertrauen dem Dienst, verwenden Sie Ihren Browser.',
  'Ask the tool for less, with a limit, a filter or a page among its arguments, if it has them.':
    'Verlangen Sie weniger vom Tool, mit einer Grenze, einem Filter oder einer Seite unter seinen Eingaben, wenn es so etwas hat.',
  'Read what the tool says, and call it again with what it asks for.':
    'Lesen Sie, was das Tool sagt, und rufen Sie es noch einmal mit dem auf, was es verlangt.',
  'Read what the server says. If that does not help, contact its owner.':
    'Lesen Sie, was der Server sagt. Hilft das nicht, wenden Sie sich an seinen Betreiber.',
  'Read what the server says, and change the input.': 'Lesen Sie, was der Server sagt, und ändern Sie die Eingabe.',
  'Go on without it, or ask the server’s owner for it.':
    'Machen Sie ohne weiter, oder bitten Sie den Betreiber des Servers darum.',
  'Name another file, or make room for this one.': 'Nennen Sie eine andere Datei, oder schaffen Sie Platz für diese.',
  'Check at the service whether it did. If it needs longer, give it more time.':
    'Prüfen Sie beim Dienst, ob es geschehen ist. Wenn es länger braucht, geben Sie ihm mehr Zeit.',
  'Check at the service how far it got, before you call it again.':
    'Sehen Sie beim Dienst nach, wie weit es gekommen ist, bevor Sie es noch einmal aufrufen.',
  'Check at the service whether it did, before you call it again.':
    'Sehen Sie beim Dienst nach, ob es so ist, bevor Sie es noch einmal aufrufen.',
  'Restart the program.': 'Starten Sie das Programm neu.',
  'Go on without it. It can be allowed in Postern, under Permissions of this server.':
    'Das Programm macht ohne es weiter. Erlauben können Sie es in Postern, unter „Berechtigungen“ dieses Servers.',
  'It was not made. Ask the user what to do instead.': 'Der Aufruf wurde nicht gemacht.',
  'It was not made. Ask the user to look at Postern, then call the tool again.':
    'Der Aufruf wurde nicht gemacht. Sehen Sie in Postern nach, wenn das Programm ihn wieder macht.',
  'It was not called. Ask the user to open Postern, then call the tool again.':
    'Der Aufruf wurde nicht gemacht. Öffnen Sie Postern, dann fragt es beim nächsten Mal.',
  'Ask the user to update this app.': 'Aktualisieren Sie diese App.',
  'Move Postern to the Applications folder, open it there, and try again.':
    'Bewegen Sie Postern in den Ordner „Programme“, öffnen Sie es dort, und versuchen Sie es noch einmal.',
  // other people
  'Check the address. If it is right, the owner of the server needs to fix this.':
    'Prüfen Sie die Adresse. Stimmt sie, muss der Betreiber des Servers das beheben.',
  'Check the address and its port. If they are right, the owner of the server needs to fix this: TLS 1.2 is the least, without a client certificate.':
    'Prüfen Sie die Adresse mit ihrem Port. Stimmen sie, muss der Betreiber des Servers das beheben: mindestens TLS 1.2, ohne Client-Zertifikat.',
  'Ask the owner of the server for an address that needs no client certificate.':
    'Fragen Sie den Betreiber des Servers nach einer Adresse, die kein Client-Zertifikat braucht.',
  'Do not sign in, and contact the server’s owner.':
    'Melden Sie sich nicht an, und wenden Sie sich an den Betreiber des Servers.',
  'Only the server’s owner can fix this. Send them this message.':
    'Nur der Betreiber des Servers kann das beheben. Schicken Sie ihm diese Meldung.',
  'Try again. If it keeps happening, contact the server’s owner.':
    'Versuchen Sie es noch einmal. Passiert es wieder, wenden Sie sich an den Betreiber des Servers.',
  'Try again later. If it keeps happening, contact the server’s owner.':
    'Versuchen Sie es später noch einmal. Bleibt es so, wenden Sie sich an den Betreiber des Servers.',
  'The server may have moved: ask its owner for the new address.':
    'Vielleicht ist der Server umgezogen: Fragen Sie seinen Betreiber nach der neuen Adresse.',
  'Do not sign in. Tell the owner of the server that the issuer of its sign-in service is wrong.':
    'Melden Sie sich nicht an. Sagen Sie dem Betreiber des Servers, dass der Aussteller seines Anmeldedienstes falsch ist.',
  'Do not sign in. Tell the owner of the server that the issuer in its sign-in information is wrong.':
    'Melden Sie sich nicht an. Sagen Sie dem Betreiber des Servers, dass der Aussteller in seinen Anmeldeangaben falsch ist.',
  'Do not sign in there again, and tell the owner of the server.':
    'Melden Sie sich dort nicht noch einmal an, und sagen Sie es dem Betreiber des Servers.',
  'Ask the owner of the service to let programs such as Postern sign in without it.':
    'Bitten Sie den Betreiber des Dienstes, Programme wie Postern ohne das zuzulassen.',
  'Tell the owner of the server that its answer is too large.':
    'Sagen Sie dem Betreiber des Servers, dass seine Antwort zu groß ist.',
  'Tell the owner of {host}: it refuses the registration that it gave Postern itself.':
    'Sagen Sie dem Betreiber von {host}: Er lehnt die Registrierung ab, die er Postern selbst gegeben hat.',
  'Try again. If it stays so, tell the owner of {host}.':
    'Versuchen Sie es noch einmal. Bleibt es so, sagen Sie es dem Betreiber von {host}.',
  'Try again. If it stays so, tell the owner of the service.':
    'Versuchen Sie es noch einmal. Bleibt es so, sagen Sie es dem Betreiber des Dienstes.',
  'Tell the owner of the service that it bound the access to no key, although it has to be (DPoP).':
    'Sagen Sie dem Betreiber des Dienstes, dass er den Zugriff an keinen Schlüssel gebunden hat, obwohl er das muss (DPoP).',
  'Set date and time of this computer, best automatically: {host} has another time.':
    'Stellen Sie Datum und Uhrzeit dieses Computers, am besten automatisch: {host} hat eine andere Zeit.',
  'Ask the owner of the service for bearer tokens.': 'Fragen Sie den Betreiber des Dienstes nach Bearer-Tokens.',
  'Tell the owner of the service; the address has to start with https://.':
    'Sagen Sie es dem Betreiber des Dienstes; die Adresse muss mit https:// beginnen.',
  'Restart Postern. If it happens again, report it.': 'Starten Sie Postern neu. Passiert es wieder, melden Sie es.',
  'Try again. If it happens again, report it with the last lines of the log in the logs folder.':
    'Versuchen Sie es noch einmal. Passiert es wieder, melden Sie es mit den letzten Zeilen des Protokolls aus dem Protokollordner.',
  'Report this; Postern keeps only a short key there.':
    'Melden Sie das; Postern legt dort nur einen kurzen Schlüssel ab.',
} as const;

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
