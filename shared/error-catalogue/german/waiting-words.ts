/** Steps like those of `advice-words.ts`: patience, other people, and what is kept on this computer. */
export const waitingWords = {
  // patience
  'Try again later.': 'Versuchen Sie es später noch einmal.',
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
