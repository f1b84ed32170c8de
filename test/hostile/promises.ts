/** A promise of SECURITY.md with its details and proofs. */
export interface SecurityPromise {
  /** Heading in the threat model, and so the anchor of the link in SECURITY.md. */
  readonly heading: string;
  /** The promise in one sentence, as in SECURITY.md. */
  readonly promise: string;
  /** What it means in detail, each with the files and folders of the tests that prove it. */
  readonly details: readonly { readonly claim: string; readonly proofs: readonly string[] }[];
  /** IDs in the hostile catalog, or the letters of a whole group. */
  readonly cases: readonly string[];
}

export const promises: readonly SecurityPromise[] = [
  {
    heading: 'Sealed secrets',
    promise: 'Tokens, client secrets and registrations are always stored encrypted, with a key from your keychain.',
    details: [
      {
        claim:
          'Secrets are sealed with AES-256-GCM in one file (mode 0600), each bound to its integration and issuer. The key is in the operating system’s keychain. Without a keychain, nothing secret is written unless you ask for it.',
        proofs: [
          'test/unit/main/storage/vault/vault.test.ts',
          'test/unit/main/storage/vault/sealed-record.test.ts',
          'test/keychain/keychain-trouble.test.ts',
        ],
      },
      {
        claim:
          'On a computer without a keychain, `--vault` seals the vault’s key with a passphrase (scrypt, 128 MiB, 12 bytes or more) or a key file (HKDF), in the file `keyring` (0600). Nothing chooses that automatically. Weaker scrypt parameters written into the file are refused. The secret never comes from an argument or the value of a variable, and programs started by `exec` get nothing that opens the vault.',
        proofs: [
          'test/contract/unattended-vault.test.ts',
          'test/unit/main/storage/keychain/keyring.test.ts',
          'test/unit/main/storage/keychain/key-file.test.ts',
        ],
      },
      {
        claim:
          'If the keychain is absent, locked, slow, damaged or has changed, Postern reports it with a remedy, and never creates a new key in place of one it cannot see.',
        proofs: ['test/keychain', 'test/contract/storage/keytar-keychain.test.ts'],
      },
    ],
    cases: ['KC'],
  },
  {
    heading: 'No leaks',
    promise: 'No secret appears in arguments, environments, logs, errors or settings, or reaches a window or an app.',
    details: [
      {
        claim:
          'Only `postern token` prints an access token. Only `postern headers`, and the lines to paste for `use --http`, contain an app’s secret, after you confirm. Tests plant random canaries in every place a secret can be and search every byte that leaves.',
        proofs: ['test/hostile/oracle.ts', 'test/hostile/app.test.ts', 'test/e2e'],
      },
      {
        claim: 'Control and format characters reach no terminal. `--output` writes to no file that a server names.',
        proofs: ['test/unit/main/cli/start/terminal-safety.test.ts', 'test/contract/unchanged-output.test.ts'],
      },
      {
        claim: 'Exported lists contain no secrets and no queries of addresses.',
        proofs: [
          'test/unit/main/engine/records/exported-list.test.ts',
          'test/contract/client-secret-destination.test.ts',
        ],
      },
    ],
    cases: ['IP-08', 'IP-09', 'IP-15', 'IP-16', 'IP-19', 'CF-14'],
  },
  {
    heading: 'Secrets go only where they belong',
    promise: 'A token, code or key is sent only to the server or service it is for, and you see which one first.',
    details: [
      {
        claim:
          'One place attaches credentials to requests, and only to the pinned resource and below it, or where that resource redirects the same request within its own origin. Refresh tokens and client credentials go only to the issuer they came from.',
        proofs: [
          'test/unit/main/mcp/http/credential-gate.test.ts',
          'test/contract/quirks/authorization-servers.test.ts',
          'test/unit/fuzz/every-target.test.ts',
        ],
      },
      {
        claim:
          'If the sign-in page, the token endpoint and the service may have different owners, nothing is registered, opened or sent until you have seen the hosts and agreed. You are asked again when one of them changes. Agreeing opens no internal address.',
        proofs: [
          'test/contract/service-owners.test.ts',
          'test/contract/subdomain-exception.test.ts',
          'test/unit/main/address/domain-owner.test.ts',
        ],
      },
      {
        claim:
          'What you enter for one server is not used for another: an API key stays with its address, a client secret with its service and a typed token endpoint. If one changes, you are asked again.',
        proofs: [
          'test/contract/key-destination.test.ts',
          'test/contract/client-secret-destination.test.ts',
          'test/unit/main/oauth/discovery/typed-endpoints.test.ts',
        ],
      },
      {
        claim:
          'Editing the settings file moves no secret: sealed records contain the address, resource and service they belong to.',
        proofs: ['test/contract/edited-settings.test.ts'],
      },
      {
        claim: 'Data from one server never changes what is stored for another.',
        proofs: ['test/hostile/neighbors.test.ts'],
      },
      {
        claim:
          'A renewal that returns tokens for another account, organization or tenant is not used; the previous tokens stay and you are asked to sign in.',
        proofs: ['test/unit/main/engine/refresh/refresh-stored-tokens.test.ts'],
      },
      {
        claim:
          'A pushed authorization request goes only to an endpoint whose owner you agreed to, and its `request_uri` becomes a parameter of the sign-in page, never an address that is opened. An initial access token goes only with the registration, to the service shown first.',
        proofs: [
          'test/contract/pushed-requests.test.ts',
          'test/contract/registration-token.test.ts',
          'test/unit/main/engine/sign-in/agree-to-hosts.test.ts',
        ],
      },
    ],
    cases: ['MD', 'TK', 'RG', 'PU'],
  },
  {
    heading: 'Keys and assertions',
    promise: 'Private keys never leave this computer, and a signature or assertion is valid for one service only.',
    details: [
      {
        claim:
          'A client key is created for one registration, or entered for one service, and sealed with it. A signature is valid for one minute, once, at its issuer.',
        proofs: [
          'test/contract/client-keys.test.ts',
          'test/unit/main/oauth/client/typed-client-key.test.ts',
          'test/unit/main/oauth/client/client-authentication.test.ts',
        ],
      },
      {
        claim:
          'A DPoP-bound token is never sent as a bearer token, nor the reverse. Its key is sealed with the tokens and shown to nobody. A nonce of one server is never sent to another.',
        proofs: [
          'test/contract/bound-tokens.test.ts',
          'test/contract/bound-tokens-in-use.test.ts',
          'test/unit/main/oauth/http/proof-key.test.ts',
          'test/unit/main/oauth/discovery/token-binding-need.test.ts',
        ],
      },
      {
        claim:
          'An assertion from a file is read when it is used and never stored. It is sent only to the service it names as its audience, and only if nobody else can write the file. In the window, only a system dialog can choose the file.',
        proofs: ['test/contract/assertion-grant.test.ts'],
      },
      {
        claim:
          'An identity assertion of your company’s provider (ID-JAG) is sent only if its type, issuer, audience, client, resource and expiry all match. The provider’s ID token goes to that provider alone.',
        proofs: ['test/contract/enterprise-grant.test.ts'],
      },
      {
        claim:
          'Only a client that you entered can sign in without a user, and how its tokens are renewed is sealed with them.',
        proofs: ['test/contract/client-grant.test.ts'],
      },
    ],
    cases: ['DP', 'JA', 'EM'],
  },
  {
    heading: 'Checked sign-ins',
    promise: 'Every sign-in checks issuer, resource, state, `iss` and PKCE; a code is redeemed once, at its issuer.',
    details: [
      {
        claim:
          'A callback with an unknown, used or superseded state redeems nothing and ends nothing. After a mismatch the code goes nowhere.',
        proofs: [
          'test/hostile/callback.test.ts',
          'test/contract/superseded.test.ts',
          'test/unit/main/oauth/authorization/authorization-response.test.ts',
          'test/unit/main/oauth/token/code-exchange.test.ts',
        ],
      },
      {
        claim:
          'The callback listener answers only its own address, method and host, and only top-level navigations. It reflects nothing and sends no CORS headers.',
        proofs: ['test/contract/callback-listener.test.ts', 'test/contract/callback-in-browser.test.ts'],
      },
      {
        claim:
          'The link that opens your browser reveals nothing about the sign-in and works once. If it is opened twice, the sign-in ends with a message.',
        proofs: ['test/contract/one-time-link.test.ts', 'test/contract/desktop.test.ts'],
      },
      {
        claim:
          'A device sign-in shows only a short printable code and a page of the service’s owner, or of one you agreed to.',
        proofs: [
          'test/contract/device-sign-in.test.ts',
          'test/unit/main/oauth/token/device-code.test.ts',
          'test/unit/main/oauth/token/device-tokens.test.ts',
        ],
      },
      {
        claim:
          'The account shown is only a label. It comes from an ID token only if that was received from the token endpoint over TLS and matches issuer, client, time and request. A tool that says who you are runs only when you press the button.',
        proofs: ['test/unit/main/oauth/token/id-token.test.ts', 'test/contract/account-lookup.test.ts'],
      },
    ],
    cases: ['AZ', 'DG'],
  },
  {
    heading: 'Sign-ins are not lost',
    promise: 'Only you, or a clear refusal (`invalid_grant`), can end a sign-in; crashes and outages cannot.',
    details: [
      {
        claim:
          'Whatever else a token endpoint returns, the tokens stay, and renewal is retried with growing delays. A crash at any moment leaves the old pair of tokens or the new one, never a mix.',
        proofs: ['test/contract/refresh', 'test/unit/main/storage/vault/vault-crash.test.ts', 'test/soak'],
      },
    ],
    cases: ['RF'],
  },
  {
    heading: 'Clean removal',
    promise: 'Deleting everything leaves no sign-in, no file with secrets and no key in the keychain.',
    details: [
      {
        claim:
          'Secrets are deleted before the entries that name them, so the next run finishes what a crash or a locked keychain interrupted. No server can delay that.',
        proofs: [
          'test/contract/delete-everything.test.ts',
          'test/keychain/keychain-trouble.test.ts',
          'test/unit/main/storage/profile/stored-data.test.ts',
        ],
      },
      {
        claim: 'A file names each keychain key before the key is created, so none is orphaned.',
        proofs: ['test/contract/storage/vault-key.test.ts'],
      },
      {
        claim:
          'While a sign-out or removal can be undone (ten seconds), no process uses or renews its secrets. After that they are deleted, even if Postern crashed, and only then is the service notified.',
        proofs: [
          'test/contract/undo-deletion.test.ts',
          'test/contract/pending-deletions.test.ts',
          'test/contract/refresh/crash.test.ts',
        ],
      },
    ],
    cases: [],
  },
  {
    heading: 'Local servers',
    promise: 'A local server starts only after you have seen exactly what runs and agreed, and without a shell.',
    details: [
      {
        claim:
          'Consent is sealed in the vault under a hash of the file, arguments, folder and variables. Editing the settings neither grants consent nor changes what runs. In the window, a system dialog asks for it. Imported and pasted lists contain no consent.',
        proofs: [
          'test/hostile/local-servers.test.ts',
          'test/contract/local-command.test.ts',
          'test/contract/desktop-local.test.ts',
          'test/renderer/local.test.ts',
          'test/contract/apps/import.test.ts',
          'test/unit/main/apps/import/listed-command.test.ts',
        ],
      },
      {
        claim:
          'It gets the usual environment variables and those named for it, never Postern’s own or another server’s. It ends with everything it started. After five crashes in five minutes it is not restarted automatically.',
        proofs: ['test/hostile/local-servers.test.ts'],
      },
      {
        claim: 'Apps that share one process never see each other’s messages. Messages without a recipient are dropped.',
        proofs: ['test/hostile/shared-servers.test.ts'],
      },
      {
        claim: 'No program is started from the current folder, and no address reaches a shell.',
        proofs: [
          'test/contract/current-folder.test.ts',
          'test/e2e/current-folder.test.ts',
          'test/unit/scripts/launchers.test.ts',
          'test/contract/system-browser.test.ts',
        ],
      },
    ],
    cases: ['PB', 'LS'],
  },
  {
    heading: 'Your network',
    promise:
      'Public servers are reached only over HTTPS with valid certificates; internal hosts only where you allowed them.',
    details: [
      {
        claim:
          'Internal hosts are reached only for the server you allowed them for; cloud metadata, link-local and disguised addresses never. The address that was checked is the address connected to.',
        proofs: ['test/unit/main/address', 'test/contract/http.test.ts', 'test/hostile/metadata.test.ts'],
      },
      {
        claim: 'A server cannot use Postern to find out which internal hosts and ports exist.',
        proofs: ['test/contract/name-oracle.test.ts', 'test/hostile/metadata.test.ts'],
      },
      {
        claim:
          'Certificates are always verified, and environment variables cannot turn that off. Redirects never lead to another origin.',
        proofs: ['test/contract/http.test.ts', 'test/hostile/app.test.ts'],
      },
      {
        claim: 'An HTTP+SSE server can move its messages only within its own origin, and only once.',
        proofs: ['test/hostile/old-transport.test.ts'],
      },
    ],
    cases: ['NW', 'OT'],
  },
  {
    heading: 'Bounded servers',
    promise: 'No server can exhaust memory, time or your attention: everything it sends is bounded.',
    details: [
      {
        claim:
          'Every response has a size limit and a deadline. A command stays below 200 MB, and no schema or pattern of a server is compiled or run.',
        proofs: [
          'test/hostile/during-sign-in.test.ts',
          'test/hostile/after-sign-in.test.ts',
          'test/contract/silent-server.test.ts',
          'test/contract/mcp-memory.test.ts',
          'test/contract/mcp-protocol.test.ts',
          'test/unit/renderer/integration/schema-fields.test.ts',
        ],
      },
      {
        claim: 'Lists, nesting, traces and pasted text are bounded, and Postern reports what is left out.',
        proofs: [
          'test/unit/main/mcp/http/bounded-transport.test.ts',
          'test/contract/overlong-lists.test.ts',
          'test/unit/main/engine/trace',
          'test/unit/shared/pasted/read-pasted.test.ts',
        ],
      },
      {
        claim:
          'Questions of a server (elicitation) reach only the user who waits for that call, one at a time and at most twenty. Forms are bounded, pages open only after you agree, and Postern offers no sampling and no roots.',
        proofs: [
          'test/unit/main/mcp/client/elicitation.test.ts',
          'test/unit/main/mcp/client/server-questions.test.ts',
          'test/contract/tool-tasks.test.ts',
          'test/contract/questions-on-terminal.test.ts',
          'test/contract/questions-in-window.test.ts',
          'test/renderer/server-questions.test.ts',
        ],
      },
    ],
    cases: ['EL'],
  },
  {
    heading: 'Server text stays server text',
    promise: 'Text, pictures and links from servers are shown as theirs, as inert content, and are never executed.',
    details: [
      {
        claim:
          'Messages are our own fixed sentences. Names are shown short, without control or direction characters, hosts in Punycode; look-alike hosts are pointed out before the sign-in.',
        proofs: [
          'test/unit/fuzz/every-target.test.ts',
          'test/hostile/app.test.ts',
          'test/unit/main/address/display-text.test.ts',
        ],
      },
      {
        claim:
          'Results are drawn from text: Markdown never becomes markup, nothing is loaded from elsewhere, media is bounded and decoded in the sandbox, and a link opens only when you click it.',
        proofs: [
          'test/unit/renderer/integration/markdown.test.ts',
          'test/unit/main/window/views/picture-size.test.ts',
          'test/unit/main/window/views/sound-file.test.ts',
          'test/unit/main/window/views/describe-mcp.test.ts',
          'test/contract/desktop-calls.test.ts',
        ],
      },
      {
        claim:
          'A server’s icon comes from its own origin or its own text, without credentials; PNG, JPEG or WebP, bounded, never SVG.',
        proofs: ['test/hostile/icons.test.ts'],
      },
      {
        claim:
          'Invisible characters, and words that read like instructions to a model, are pointed out in tool descriptions. That is a hint, not a guarantee.',
        proofs: ['test/unit/main/mcp/client/tool-hints.test.ts'],
      },
    ],
    cases: ['IP-01', 'IP-02', 'IP-03', 'IP-21', 'IC'],
  },
  {
    heading: 'Registry and links',
    promise: 'A registry is searched only after you turn that on; a link does no more than typing its address would.',
    details: [
      {
        claim:
          'A registry gets only the name you searched for. Its answers are bounded, and an entry cannot contain an unencrypted address or, in a registry you did not choose, an internal one. A known service’s name at another address is shown with its publisher and true address.',
        proofs: [
          'test/contract/registry.test.ts',
          'test/hostile/registry.test.ts',
          'test/renderer/registry.test.ts',
          'test/e2e/registry.test.ts',
        ],
      },
      {
        claim:
          'A `postern://` link registers and signs in to nothing before you agree, waits while you are busy, and brings the window to the front at most once every five seconds.',
        proofs: [
          'test/unit/main/address/postern-link.test.ts',
          'test/unit/main/start-switches.test.ts',
          'test/unit/main/window/start/app-windows.test.ts',
          'test/renderer/links.test.ts',
          'test/e2e/links.test.ts',
        ],
      },
    ],
    cases: ['MR'],
  },
  {
    heading: 'Apps get no tokens',
    promise: 'No AI app ever gets a token, and no server gets an app’s secrets, IDs or cookies.',
    details: [
      {
        claim:
          'The gateway strips credentials in both directions. Cookies stay in memory, in one session, at their origin.',
        proofs: [
          'test/hostile/gateway-apps.test.ts',
          'test/unit/main/mcp/http/session-cookies.test.ts',
          'test/contract/gateway/cookies.test.ts',
        ],
      },
      {
        claim: 'What Postern answers in place of a server is short and in our own words.',
        proofs: ['test/hostile/gateway-apps.test.ts', 'test/hostile/gateway-cached-lists.test.ts'],
      },
    ],
    cases: ['GW-17'],
  },
  {
    heading: 'Who may connect',
    promise: 'Only programs that run as you can use Postern, and each app only the servers you allowed.',
    details: [
      {
        claim:
          'Only your user can open the socket (0600 in a 0700 folder); on Windows, a named pipe with a random name and a mutual proof. An app that you did not allow is refused unless you allow it within 45 seconds.',
        proofs: [
          'test/hostile/gateway-endpoints.test.ts',
          'test/hostile/gateway-loopback.test.ts',
          'test/contract/gateway/serve.test.ts',
          'test/contract/gateway/loopback.test.ts',
          'test/contract/pipe/loopback.test.ts',
          'test/contract/gateway/window-asks.test.ts',
          'test/unit/main/window/consent/access-requests.test.ts',
          'test/unit/main/host/gateway/gateway-holder.test.ts',
          'test/renderer/approvals.test.ts',
        ],
      },
      {
        claim:
          'The HTTP endpoint needs an app’s secret and refuses web pages, except one origin that you may allow. After twenty wrong secrets in a minute it answers 429 to wrong ones; the right one always works.',
        proofs: [
          'test/hostile/gateway-endpoints.test.ts',
          'test/contract/gateway/http.test.ts',
          'test/contract/gateway/web-page.test.ts',
        ],
      },
      {
        claim:
          'A running Postern runs commands of the same user only, never `token` or `exec`, and never asks you anywhere but at the terminal where you typed.',
        proofs: ['test/contract/served-commands.test.ts'],
      },
      {
        claim: 'Revoking an app ends its open sessions; its secret is deleted first.',
        proofs: [
          'test/contract/gateway/apps.test.ts',
          'test/unit/main/apps/records/app-secret.test.ts',
          'test/contract/apps/other-app.test.ts',
        ],
      },
    ],
    cases: [],
  },
  {
    heading: 'Your rules for tools',
    promise: 'An app cannot see or call a tool you denied, by any route; a tool set to ask waits for your answer.',
    details: [
      {
        claim:
          'Rules apply to the pipe, HTTP and collections, and to resources and prompts that are off. A call is checked again just before it is sent. Questions show the whole call up to 32 KiB; no answer within 45 seconds means no.',
        proofs: [
          'test/contract/gateway/permissions.test.ts',
          'test/contract/gateway/held-calls.test.ts',
          'test/renderer/permissions.test.ts',
          'test/e2e/held-calls.test.ts',
        ],
      },
      {
        claim: 'In a collection every server applies its own rules; no member can impersonate another or speak for it.',
        proofs: ['test/contract/gateway/collection-permissions.test.ts', 'test/hostile/collections.test.ts'],
      },
      {
        claim:
          'Changed or new tools are shown with what changed. If you chose to hold them, none is listed or called until you have reviewed that exact version.',
        proofs: [
          'test/contract/gateway/changed-tools.test.ts',
          'test/contract/review-command.test.ts',
          'test/unit/main/mcp/client/tool-fingerprint.test.ts',
          'test/unit/main/engine/records/tool-pins.test.ts',
          'test/unit/main/storage/profile/pin-store.test.ts',
        ],
      },
    ],
    cases: ['PM'],
  },
  {
    heading: 'Apps do not disturb each other',
    promise: 'A flood from one app or server does not stop the sessions of others.',
    details: [
      {
        claim:
          'Sessions, requests, messages and questions are bounded for each app and in total. If there is no room, a session of the app that has most of them ends.',
        proofs: [
          'test/unit/main/gateway/limits/open-sessions.test.ts',
          'test/hostile/gateway-apps.test.ts',
          'test/hostile/gateway-servers.test.ts',
          'test/hostile/gateway-floods.test.ts',
        ],
      },
      {
        claim: 'An app gets exactly one response to each request, and no message of another session.',
        proofs: ['test/hostile/gateway-servers.test.ts', 'test/contract/gateway/apps.test.ts'],
      },
    ],
    cases: ['GW'],
  },
  {
    heading: 'What is recorded',
    promise: 'Postern records which app called which tool and when, never the content, and you can turn that off.',
    details: [
      {
        claim:
          'Records contain no arguments, results or descriptions, are bounded, and are readable only by your user. In an exported CSV file, no name can act as a formula.',
        proofs: [
          'test/contract/gateway/activity.test.ts',
          'test/contract/desktop-activity.test.ts',
          'test/unit/main/gateway/responses/call-log.test.ts',
          'test/unit/main/storage/profile/activity-store.test.ts',
          'test/unit/main/window/views/activity-csv.test.ts',
        ],
      },
      {
        claim: 'A server’s history has at most 50 events and three traces without secrets, deleted with the server.',
        proofs: ['test/unit/main/storage/profile/history-store.test.ts', 'test/contract/desktop.test.ts'],
      },
    ],
    cases: [],
  },
  {
    heading: 'The window',
    promise: 'A hostile page or script in the window reaches no network, no token and no command.',
    details: [
      {
        claim:
          'The main window has no network, in three independent layers: an unreachable proxy, WebRTC only through that proxy, and an empty connection allowlist (from Chromium 152). It has no IPC channel outside its contract.',
        proofs: [
          'test/e2e/hostile-script.test.ts',
          'test/e2e/window-guards.test.ts',
          'test/contract/electron-network.test.ts',
        ],
      },
      {
        claim: 'Deleting needs a system dialog that no page can answer.',
        proofs: ['test/e2e/hostile-script.test.ts', 'test/contract/desktop.test.ts'],
      },
      {
        claim:
          'Sign-in pages get a window of their own without preload, permissions or child windows. The bar above shows the page’s real host, in our own words.',
        proofs: ['test/e2e/window-guards.test.ts', 'test/e2e/sign-in-bar.test.ts', 'test/unit/main/window/ipc'],
      },
    ],
    cases: ['IP'],
  },
  {
    heading: 'Files',
    promise:
      'A full disk loses no saved data, damaged settings are not overwritten without asking, and you see every change to your files first.',
    details: [
      {
        claim:
          'Settings and sign-ins survive a full or read-only disk. An unreadable settings file is never replaced without asking, and files of a newer version are never written.',
        proofs: [
          'test/hostile/disk.test.ts',
          'test/contract/unusual-files.test.ts',
          'test/contract/settings-command.test.ts',
          'test/contract/desktop-settings-file.test.ts',
          'test/unit/main/engine/removal/sweep-orphans.test.ts',
        ],
      },
      {
        claim: 'Nothing is read or written through links, or in a profile folder that others can write to.',
        proofs: [
          'test/contract/unusual-files.test.ts',
          'test/unit/main/host/log.test.ts',
          'test/unit/main/storage/profile/profile-folder.test.ts',
        ],
      },
      {
        claim:
          'AI apps’ files change only as shown: every other byte stays, a copy is saved, and `postern undo` restores it. If the file changed meanwhile, nothing is written.',
        proofs: ['test/contract/apps', 'test/contract/desktop-apps.test.ts', 'test/unit/main/apps'],
      },
    ],
    cases: ['CF'],
  },
  {
    heading: 'Releases',
    promise: 'An installed Postern runs only what was published and signed, and never updates to an older version.',
    details: [
      {
        claim: 'An update needs the publisher’s signature over its name and every byte, and is never older.',
        proofs: [
          'test/contract/updates.test.ts',
          'test/contract/hostile-updates.test.ts',
          'test/unit/main/window/updates',
        ],
      },
      {
        claim:
          'A package ignores Node’s switches and debuggers and, on macOS and Windows, does not start if it was changed. Each one is tried on its own system before release.',
        proofs: ['test/packaged', 'test/unit/scripts/package'],
      },
      {
        claim:
          'A release contains a supported Electron, at most 14 days behind its fixes. Dependencies are pinned by hash and signed by the registry; only two may run install scripts.',
        proofs: ['test/unit/scripts/release', 'test/unit/scripts/bootstrap.test.ts'],
      },
    ],
    cases: ['PK'],
  },
];

/** What Postern cannot promise, and why. */
export const limits: readonly { readonly heading: string; readonly text: string }[] = [
  {
    heading: 'Programs that run as you',
    text: 'They can ask your keychain as Postern does, read its memory, use the gateway’s socket as an app you allowed, or replace Postern. No operating system separates programs of one user by default.',
  },
  {
    heading: 'Other users of this computer',
    text: 'They share the loopback interface. They can occupy the callback port (Postern then says so or uses another) or open the sign-in link first if they can read your browser’s arguments; the sign-in then ends. A code is useless without the code verifier, which never leaves Postern before the exchange (RFC 8252 8.3). They can keep the HTTP endpoint busy, but not use it.',
  },
  {
    heading: 'What a tool does or says',
    text: 'Postern cannot judge that. Descriptions and results go to the app as they are, and text in them can mislead a model. “Read-only” is the server’s own claim. Deny tools you do not need, and set risky ones to ask.',
  },
  {
    heading: 'Local servers',
    text: 'They run as you and can do what you can. Commands that fetch code, such as `npx` or `uvx`, may run different code each time.',
  },
  {
    heading: 'A vault without a keychain',
    text: 'Anyone who has a copy of the profile and the key file, or guesses the passphrase, has every sign-in in it. Store the key file separately from backups of the profile.',
  },
  {
    heading: 'A script in the window',
    text: 'It cannot delete anything or start a command, since the system asks. But it could change tool rules, answer held calls or mark changed tools as reviewed. `postern serve` and the command line work without a window.',
  },
  {
    heading: 'A compromised Chromium',
    text: 'The layers that keep the main window off the network are part of Chromium. Only its connection allowlist also stops name lookups, and we have not yet confirmed that Electron applies it to our pages.',
  },
  {
    heading: 'Running as root on Linux',
    text: 'Chromium then has no sandbox, and neither does an AppImage where user namespaces are refused. The window and `postern doctor` say so.',
  },
  {
    heading: 'Revoked certificates',
    text: 'Node.js checks no revocation lists, so a revoked certificate is accepted until it expires.',
  },
  {
    heading: 'Behind a proxy',
    text: 'The proxy resolves names, so a public name that leads to a private address is not noticed. A company whose certificate authority your system trusts can read what passes its proxy.',
  },
  {
    heading: 'Windows',
    text: 'Pipe names are public there, and the Node pipe (source only) does not check who is listening; the native one does. A roaming profile may carry the vault’s key, but not the vault, to your other computers.',
  },
  {
    heading: 'Linux packages',
    text: 'They are not verified at start: anyone who can write to the installation can change it.',
  },
  {
    heading: 'Keys in addresses, typed endpoints, trusted hosts',
    text: 'An API key in a query is not treated as a secret. Endpoints you type, hosts you allow (`--local`, `--allow-http`, `allowedHosts`, `agreedHosts`) and hosts of the server’s own owner are trusted because you said so.',
  },
];
