import type { KnownServer } from './known-server.ts';

/** Known from a single source that only says how apps sign in. */
const rows = `
  Outreach | https://api.outreach.io/mcp/ | Prospects and sequences
  Salesloft | https://mcp.salesloft.com/mcp | Prospects and calls
  ZoomInfo | https://mcp.zoominfo.com/mcp | Companies and contacts
  Hunter | https://mcp.hunter.io/mcp | Company email addresses
  Clay | https://api.clay.com/v3/mcp | Prospect tables
  Common Room | https://mcp.commonroom.io/mcp | Signals from customers
  Zendesk | https://mcp.zendesk.com/api/mcp | Support tickets
  Help Scout | https://mcp.helpscout.net/mcp | Support conversations
  Gorgias | https://mcp.gorgias.com/mcp | Support for shops
  Plain | https://mcp.plain.com/mcp | Support threads
  Pylon | https://mcp.usepylon.com | Support issues
  Mailchimp | https://ai-inc.mailchimp.com/claude/mcp/v2 | Campaigns and audiences
  Customer.io | https://mcp.customer.io/mcp | Messages to customers
  Front | https://mcp.frontapp.com/mcp | Shared inboxes | oauthApp
  Superhuman | https://mcp.mail.superhuman.com/mcp | Mail
  Otter | https://mcp.otter.ai/mcp | Meeting transcripts
  Krisp | https://mcp.krisp.ai/mcp | Meeting notes
  Fathom | https://api.fathom.ai/mcp | Meeting notes
  Circleback | https://app.circleback.ai/api/mcp | Meeting notes
  Deel | https://api.letsdeel.com/mcp | People and payroll
  Gusto | https://mcp.api.gusto.com/anthropic | People and payroll
  Ashby | https://mcp.ashbyhq.com/mcp/v1 | Recruiting
  Indeed | https://mcp.indeed.com/claude/mcp | Jobs
  Productboard | https://mcp.productboard.com/mcp | Features and feedback
  Shortcut | https://mcp.shortcut.com/mcp | Stories and epics
  Teamwork | https://mcp.ai.teamwork.com/ | Projects and tasks
  Typeform | https://api.typeform.com/mcp | Forms
  SurveyMonkey | https://mcp.surveymonkey.com/mcp | Surveys
  Jotform | https://mcp.jotform.com/mcp-app | Forms
  Craft | https://mcp.craft.do/my/mcp | Documents
  Egnyte | https://mcp-server.egnyte.com/mcp | Files
  Smartsheet | https://mcp.smartsheet.com/mcp | Sheets | oauthApp
  Brex | https://api.brex.com/mcp | Spend
  Mercury | https://mcp.mercury.com/mcp | Bank accounts
  Expensify | https://mcp.expensify.com/mcp | Expenses
  GoCardless | https://mcp.gocardless.com/mcp | Direct debits
  Carta | https://mcp.app.carta.com/mcp | Equity
  Chargebee | https://mcp.chargebee.com/mcp | Subscriptions | oauthApp
  Lucid | https://mcp.lucid.app/mcp | Diagrams
  Gamma | https://mcp.gamma.app/mcp | Presentations
  Contentful | https://mcp.contentful.com/mcp | Content
  Sanity | https://mcp.sanity.io/mcp | Content
  Mux | https://mcp.mux.com | Video
  Lovable | https://mcp.lovable.dev | Apps
  GitBook | https://mcp.gitbook.com/mcp | Documentation
  Ahrefs | https://api.ahrefs.com/mcp/mcp | Search rankings
  Semrush | https://mcp.semrush.com/claude/v1/mcp | Search rankings
  Similarweb | https://mcp.similarweb.com/mcp | Website traffic
  DeepL | https://mcp.deepl.com/v1/mcp | Translation
  Globalping | https://mcp.globalping.dev/mcp | Measure networks from anywhere
  Kernel | https://mcp.onkernel.com/mcp | Browsers in the cloud
  Semgrep | https://mcp.semgrep.ai/mcp | Code security
  Statsig | https://api.statsig.com/v1/mcp | Flags and experiments
  WorkOS | https://mcp.workos.com/mcp | Sign-in for your users
  Retool | https://mcp.retool.com/mcp | Internal apps
  Vanta | https://mcp.vanta.com/mcp | Compliance
  Drata | https://mcp.drata.com/mcp/ | Compliance
  Heroku | https://mcp.heroku.com/mcp | Apps
  Resend | https://mcp.resend.com/mcp | Send mail
  Telnyx | https://api.telnyx.com/v2/mcp | Phone and messages
  Dynatrace | https://{environment}.apps.dynatrace.com/platform-reserved/mcp-gateway/v0.1/servers/dynatrace-mcp/mcp | Observability | key
  InstantDB | https://mcp.instantdb.com/mcp | Databases
  MotherDuck | https://api.motherduck.com/mcp | SQL on DuckDB
  Airbyte | https://mcp.airbyte.ai/mcp | Data pipelines
  Metabase | https://{host}/api/metabase-mcp | Questions and dashboards
  Tableau | https://mcp.tableau.com/mcp | Dashboards | oauthApp
  Glean | https://{instance}-be.glean.com/mcp/{server} | Company search | unknown
  Qlik | https://{tenant}/api/ai/mcp | Analytics | unknown`;

const fills: Readonly<Record<string, string>> = {
  environment: 'Environment ID',
  host: 'Host of your server',
  instance: 'Instance',
  server: 'Name of the server',
  tenant: 'Host of your tenant',
};

export const moreServers: readonly KnownServer[] = rows.trim().split('\n').map(readRow);

function readRow(row: string): KnownServer {
  const [name = '', address = '', description = '', signIn = 'registers'] = row.split('|').map((cell) => cell.trim());
  const names = [...address.matchAll(/\{(\w+)\}/gu)].map(([, placed = '']) => placed);
  return {
    name,
    description,
    address,
    signIn: signIn as KnownServer['signIn'],
    ...(names.length > 0 && {
      placeholders: Object.fromEntries(names.map((placed) => [placed, fills[placed] ?? placed])),
    }),
    ...(signIn === 'key' && { key: { header: 'Authorization', scheme: 'Bearer' } }),
  };
}
