/**
 * How an app of one's own is created at services of the catalogue, by its English (`steps` of
 * `shared/known-servers/known-server.ts`). What stands in quotation marks is written so on their pages.
 */
export const serviceStepWords: Readonly<Record<string, string>> = {
  'Add the callback URL as a redirect URI for mobile and desktop applications.':
    'Tragen Sie die Callback-URL als Umleitungs-URI für mobile und Desktopanwendungen ein.',
  'Add the callback URL to the redirect URIs.': 'Tragen Sie die Callback-URL bei den Redirect-URIs ein.',
  'Add the scopes that are listed here.': 'Fügen Sie die hier genannten Scopes hinzu.',
  'Add these two permissions and no other.': 'Fügen Sie diese zwei Berechtigungen hinzu und keine andere.',
  'Allow the permissions that are listed here.': 'Erlauben Sie die hier genannten Berechtigungen.',
  'Choose “Create MCP auth app”.': 'Wählen Sie „Create MCP auth app“.',
  'Choose “Create New App” from scratch, and your workspace.':
    'Wählen Sie „Create New App“ ohne Vorlage und Ihren Workspace.',
  'Choose “Create new app”, of the type “MCP app”.': 'Wählen Sie „Create new app“ mit dem Typ „MCP app“.',
  'Choose “Develop › Build App › General app”, managed by the user.':
    'Wählen Sie „Develop › Build App › General app“, vom Benutzer verwaltet.',
  'Choose “Generate a new client secret”, and copy it: it is shown once.':
    'Wählen Sie „Generate a new client secret“ und kopieren Sie es: Es wird nur einmal gezeigt.',
  'Choose “Register application”, and copy the client ID.':
    'Wählen Sie „Register application“ und kopieren Sie die Client-ID.',
  'Copy the application (client) ID. A secret is needed for a web client only.':
    'Kopieren Sie die Anwendungs-ID (Client). Ein Secret braucht nur ein Webclient.',
  'Copy the client ID and the secret.': 'Kopieren Sie die Client-ID und das Secret.',
  'Copy the client ID and the secret. An administrator may have to authorize the app.':
    'Kopieren Sie die Client-ID und das Secret. Vielleicht muss ein Administrator die App zulassen.',
  'Copy the consumer key: it is the client ID. It works after up to 30 minutes.':
    'Kopieren Sie den Consumer Key: Er ist die Client-ID. Er gilt nach spätestens 30 Minuten.',
  'Create a “Custom App” with “User Authentication (OAuth 2.0)”. Administrators find “Custom Box MCP Server” under “Integrations”.':
    'Legen Sie eine „Custom App“ mit „User Authentication (OAuth 2.0)“ an. Administratoren finden „Custom Box MCP Server“ unter „Integrations“.',
  'Enter a name, and the callback URL as redirect URL.':
    'Geben Sie einen Namen ein und als Redirect-URL die Callback-URL.',
  'Enter a name, such as Postern, and any homepage, such as https://example.com.':
    'Geben Sie einen Namen ein, z. B. Postern, und irgendeine Homepage, z. B. https://example.com.',
  'Enter the callback URL as authorization callback URL.':
    'Tragen Sie die Callback-URL als Authorization Callback URL ein.',
  'Enter the callback URL as redirect URL, and in the allow list.':
    'Tragen Sie die Callback-URL als Redirect-URL und in der Liste der erlaubten ein.',
  'In a project of yours, enable the API of the service.':
    'Aktivieren Sie in einem Ihrer Projekte die API des Dienstes.',
  'In a project of yours, enable the BigQuery API.': 'Aktivieren Sie in einem Ihrer Projekte die BigQuery-API.',
  'In a project of yours, enable the Calendar API and its MCP API.':
    'Aktivieren Sie in einem Ihrer Projekte die Calendar-API und deren MCP-API.',
  'In a project of yours, enable the Chat API and its MCP API.':
    'Aktivieren Sie in einem Ihrer Projekte die Chat-API und deren MCP-API.',
  'In a project of yours, enable the Drive API and its MCP API.':
    'Aktivieren Sie in einem Ihrer Projekte die Drive-API und deren MCP-API.',
  'In a project of yours, enable the Gmail API and its MCP API.':
    'Aktivieren Sie in einem Ihrer Projekte die Gmail-API und deren MCP-API.',
  'In a project of yours, enable the People API and its MCP API.':
    'Aktivieren Sie in einem Ihrer Projekte die People-API und deren MCP-API.',
  'Install the app. An administrator may have to approve it.':
    'Installieren Sie die App. Vielleicht muss ein Administrator sie genehmigen.',
  'Save, and copy the client ID and the secret. There are no permissions to choose.':
    'Speichern Sie, und kopieren Sie die Client-ID und das Secret. Berechtigungen gibt es nicht zu wählen.',
  'Turn on “JWT-based access tokens for named users” and “Require PKCE”; turn off “Require Secret”.':
    'Schalten Sie „JWT-based access tokens for named users“ und „Require PKCE“ ein und „Require Secret“ aus.',
  'Under “Agents & AI Apps”, turn on “Model Context Protocol”. Without it the sign-in works and no tool does.':
    'Schalten Sie unter „Agents & AI Apps“ „Model Context Protocol“ ein. Ohne das geht die Anmeldung, aber kein Tool.',
  'Under “API permissions”, add those of the server. An administrator may have to agree.':
    'Fügen Sie unter „API permissions“ die des Servers hinzu. Vielleicht muss ein Administrator zustimmen.',
  'Under “App registrations”, choose “New registration”.': 'Wählen Sie unter „App registrations“ „New registration“.',
  'Under “Basic Information”, copy the client ID and the secret.':
    'Kopieren Sie unter „Basic Information“ die Client-ID und das Secret.',
  'Under “Clients”, create a client of the type “Web application” with the callback URL as redirect URI.':
    'Legen Sie unter „Clients“ einen Client vom Typ „Web application“ mit der Callback-URL als Redirect-URI an.',
  'Under “Google Auth platform”, fill in “Branding” and “Audience”, and add the scopes under “Data Access”.':
    'Füllen Sie unter „Google Auth platform“ „Branding“ und „Audience“ aus, und fügen Sie unter „Data Access“ die Scopes hinzu.',
  'Under “Manage distribution”, allow your workspaces.': 'Erlauben Sie unter „Manage distribution“ Ihre Workspaces.',
  'Under “OAuth & Permissions”, add the callback URL and these user token scopes.':
    'Tragen Sie unter „OAuth & Permissions“ die Callback-URL und diese User Token Scopes ein.',
  'Under “OAuth”, add the callback URL as a redirect URL.':
    'Tragen Sie unter „OAuth“ die Callback-URL als Redirect-URL ein.',
  'Under “Setup › External Client App Manager”, choose “New”, “Local”, and enable OAuth with the callback URL.':
    'Wählen Sie unter „Setup › External Client App Manager“ „New“, „Local“, und aktivieren Sie OAuth mit der Callback-URL.',
  'Under “Setup › MCP Servers”, activate the server; this takes two minutes.':
    'Aktivieren Sie unter „Setup › MCP Servers“ den Server; das dauert zwei Minuten.',
};
