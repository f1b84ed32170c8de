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
