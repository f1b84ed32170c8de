/**
 * What there is to know of services of the catalogue, by its English (`know`, `fill`, `others` and `key` of
 * `shared/known-servers/known-server.ts`). What stands in quotation marks is written so on their pages.
 */
export const serviceAdviceWords: Readonly<Record<string, string>> = {
  'A beta. The app needs a secret.': 'Eine Beta. Die App braucht ein Secret.',
  'A key of a Cloud project with “Grounding Lite”.': 'Ein Schlüssel eines Cloud-Projekts mit „Grounding Lite“.',
  'A management key, as KEYID:SECRET.': 'Ein Verwaltungsschlüssel in der Form KEYID:SECRET.',
  'A personal access token.': 'Ein persönliches Zugriffstoken.',
  'A preview, and not for FedRAMP or HIPAA accounts.': 'Eine Vorschau, und nicht für FedRAMP- oder HIPAA-Konten.',
  'A preview. The organization has to be tied to Entra.':
    'Eine Vorschau. Die Organisation muss mit Entra verbunden sein.',
  'A preview: Google has to admit your project first.': 'Eine Vorschau: Google muss Ihr Projekt erst zulassen.',
  'A restricted key.': 'Ein eingeschränkter Schlüssel.',
  'A setting of your organization has to allow it.': 'Eine Einstellung Ihrer Organisation muss es erlauben.',
  'A site administrator must have agreed to it first.': 'Ein Administrator der Site muss vorher zugestimmt haben.',
  'A token that starts with hf_.': 'Ein Token, das mit hf_ beginnt.',
  'A user token, made under “My Profile › User Settings”.': 'Ein Benutzertoken von „My Profile › User Settings“.',
  'Account ID': 'Konto-ID',
  'All of these': 'Alle zusammen',
  'All tools': 'Alle Tools',
  'An access token.': 'Ein Zugriffstoken.',
  'An account administrator creates the app by SQL (CREATE SECURITY INTEGRATION). The role must not be a privileged one.':
    'Ein Administrator des Kontos legt die App mit SQL an (CREATE SECURITY INTEGRATION). Die Rolle darf keine privilegierte sein.',
  'An address with “?tavilyApiKey=” in it is a secret.': 'Eine Adresse mit „?tavilyApiKey=“ darin ist ein Geheimnis.',
  'An address with “?token=” in it is a secret.': 'Eine Adresse mit „?token=“ darin ist ein Geheimnis.',
  'An administrator of Asana may have to allow it.': 'Vielleicht muss ein Administrator von Asana es erlauben.',
  'An administrator of the account has to connect first.': 'Ein Administrator des Kontos muss sich zuerst verbinden.',
  'An administrator of your organization has to agree.': 'Ein Administrator Ihrer Organisation muss zustimmen.',
  'An API token.': 'Ein API-Token.',
  'Basic, and base64 of “e-mail:token”; or Bearer and the key of a service account. An administrator switches it on.':
    'Basic und base64 von „E-Mail:Token“; oder Bearer und der Schlüssel eines Dienstkontos. Ein Administrator schaltet das ein.',
  'Bindings of Workers': 'Bindings von Workers',
  'Box charges for API calls.': 'Box berechnet API-Aufrufe.',
  Browser: 'Browser',
  Builds: 'Builds',
  'Choose the region of your account.': 'Wählen Sie die Region Ihres Kontos.',
  Database: 'Datenbank',
  'Documentation, without a sign-in': 'Dokumentation, ohne Anmeldung',
  'Environment ID': 'ID der Umgebung',
  Europe: 'Europa',
  'Europe, with a key': 'Europa, mit einem Schlüssel',
  'Few tools, without a sign-in': 'Wenige Tools, ohne Anmeldung',
  'Figma’s own program has a server that is open to you: in “Dev Mode”, choose “Enable desktop MCP server”.':
    'Figmas eigenes Programm hat einen Server, der Ihnen offensteht: Wählen Sie im „Dev Mode“ „Enable desktop MCP server“.',
  'First choose apps and actions at mcp.zapier.com.': 'Wählen Sie zuerst auf mcp.zapier.com Apps und Aktionen.',
  'For code': 'Für Code',
  'For paid tiers. An administrator turns it on.': 'Für bezahlte Stufen. Ein Administrator schaltet es ein.',
  'For sites that are hosted at WordPress.com.': 'Für Websites, die bei WordPress.com liegen.',
  'For the Enterprise edition and above. A Connected App is not enough.':
    'Ab der Enterprise Edition. Eine Connected App genügt nicht.',
  'GitHub Enterprise Server has no hosted server.': 'GitHub Enterprise Server hat keinen gehosteten Server.',
  'GitLab of your own': 'Eigenes GitLab',
  'Host of the shop': 'Host des Shops',
  'Host of your account': 'Host Ihres Kontos',
  'Host of your GitLab': 'Host Ihres GitLab',
  'Host of your server': 'Host Ihres Servers',
  'Host of your tenant': 'Host Ihres Mandanten',
  'Host of your workspace, such as dbc-1234.cloud.databricks.com':
    'Host Ihres Workspace, z. B. dbc-1234.cloud.databricks.com',
  'In a company with the Enterprise plan an administrator has to allow it.':
    'In einer Firma mit dem Enterprise-Tarif muss ein Administrator es erlauben.',
  Instance: 'Instanz',
  'Integration tokens (ntn_…) are refused here: sign in instead.':
    'Integrationstoken (ntn_…) werden hier abgelehnt: Melden Sie sich stattdessen an.',
  'Made in Linear under “Security & Access”.': 'Von „Security & Access“ in Linear.',
  'Made in monday under “Developers › My access tokens”.': 'Von „Developers › My access tokens“ in monday.',
  'Made in the console of Neon under “Settings”.': 'Von „Settings“ in der Konsole von Neon.',
  'Made under “Account Settings › API Keys”. It opens all of your workspaces.':
    'Von „Account Settings › API Keys“. Er öffnet alle Ihre Workspaces.',
  'Name of the server': 'Name des Servers',
  'Needs a Partner app with approval for protected data and an https callback, which Postern does not have.':
    'Braucht eine Partner-App mit Freigabe für geschützte Daten und einen https-Callback, den Postern nicht hat.',
  'Newer form': 'Neuere Form',
  'Not for a Sentry of your own.': 'Nicht für ein eigenes Sentry.',
  'Not for Australian workspaces. If the sign-in is refused, use an access token as a key.':
    'Nicht für australische Workspaces. Wird die Anmeldung abgelehnt, nehmen Sie ein Zugriffstoken als Schlüssel.',
  'Not for its European and federal instances.': 'Nicht für die europäischen und die US-Behördeninstanzen.',
  Observability: 'Überwachung',
  'One project, to read only': 'Ein Projekt, nur lesend',
  'One repository': 'Ein Repository',
  Organization: 'Organisation',
  Owner: 'Besitzer',
  'Raises the limits.': 'Hebt die Grenzen an.',
  'Reference of the project': 'Kennung des Projekts',
  Repository: 'Repository',
  'Rules of your administrator decide what may be changed.':
    'Regeln Ihres Administrators bestimmen, was geändert werden darf.',
  'Run by a third party.': 'Von Dritten betrieben.',
  Schema: 'Schema',
  'Search only': 'Nur Suche',
  'Server, such as mcp_MailTools, mcp_CalendarTools, mcp_TeamsServer or mcp_WordServer':
    'Server, z. B. mcp_MailTools, mcp_CalendarTools, mcp_TeamsServer oder mcp_WordServer',
  'Server, such as sql or functions/CATALOG/SCHEMA': 'Server, z. B. sql oder functions/CATALOG/SCHEMA',
  'Service, such as compute, container or pubsub': 'Dienst, z. B. compute, container oder pubsub',
  'Slack admits internal apps of your workspace and apps of its directory only.':
    'Slack lässt nur interne Apps Ihres Workspace und Apps aus seinem Verzeichnis zu.',
  'Tenant ID': 'Mandanten-ID',
  'The app is a public client without a secret. Features and a SuiteApp have to be installed; the Administrator role is refused.':
    'Die App ist ein öffentlicher Client ohne Secret. Features und eine SuiteApp müssen installiert sein; die Rolle Administrator wird abgelehnt.',
  'The Figma program on this computer': 'Das Figma-Programm auf diesem Computer',
  'The host differs with your site. An administrator turns on “MCP Access”; your role needs mcp_read.':
    'Der Host hängt von Ihrer Site ab. Ein Administrator schaltet „MCP Access“ ein; Ihre Rolle braucht mcp_read.',
  'The sign-in asks for the address of your stack. You count as a paid active user.':
    'Die Anmeldung fragt nach der Adresse Ihres Stacks. Sie zählen als bezahlter aktiver Benutzer.',
  'The token of an app: it reads, and cannot post.': 'Das Token einer App: Es liest und kann nichts veröffentlichen.',
  'The tool get_job_env can show secrets of a job.': 'Das Tool get_job_env kann Geheimnisse eines Jobs zeigen.',
  'The “monday MCP” app of the marketplace decides which workspaces may be used.':
    'Die App „monday MCP“ aus dem Marktplatz bestimmt, welche Workspaces genutzt werden dürfen.',
  'To change records': 'Datensätze ändern',
  'To delete records': 'Datensätze löschen',
  'To read only': 'Nur lesend',
  'To write you need a token; the sign-in only reads.':
    'Zum Schreiben brauchen Sie ein Token; die Anmeldung liest nur.',
  'While the app’s audience is “Testing”, Google ends the sign-in after seven days.':
    'Solange die „Audience“ der App „Testing“ ist, beendet Google die Anmeldung nach sieben Tagen.',
  Whiteboard: 'Whiteboard',
  'With a sign-in': 'Mit Anmeldung',
  'With a Starter plan or a view seat Figma allows six calls a month.':
    'Mit dem Starter-Tarif oder einem Nur-Ansicht-Platz erlaubt Figma sechs Aufrufe im Monat.',
  'With an API token': 'Mit einem API-Token',
  'Without a project in the address all of your projects are open to it.':
    'Ohne ein Projekt in der Adresse stehen ihm alle Ihre Projekte offen.',
  'Without a sign-in': 'Ohne Anmeldung',
  'You need the roles MCP Tool User, BigQuery Job User and BigQuery Data Viewer.':
    'Sie brauchen die Rollen MCP Tool User, BigQuery Job User und BigQuery Data Viewer.',
  'Your organization decides which callback addresses may be used.':
    'Ihre Organisation bestimmt, welche Callback-Adressen genutzt werden dürfen.',
  'Your organization may have to approve the app.': 'Vielleicht muss Ihre Organisation die App genehmigen.',
  'Zoom Docs': 'Zoom Docs',
  '“Honeycomb Intelligence” has to be on.': '„Honeycomb Intelligence“ muss eingeschaltet sein.',
};
