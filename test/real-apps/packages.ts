/** A package of the npm registry, pinned: this version, these bytes. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /**
   * For each package, by `NAME@VERSION`, the packages of the app: itself, and its binary if the registry has it
   * separately.
   */
  readonly integrity: Readonly<Record<string, string>>;
  /** Its install script installs the binary. */
  readonly hasScript?: boolean;
}

/** What `npm run apps` installs. A newer version is a change of these lines, and of `evidence` in the table. */
export const packages = {
  'claude-code': {
    name: '@anthropic-ai/claude-code',
    version: '2.1.330',
    integrity: {
      '@anthropic-ai/claude-code@2.1.330':
        'sha512-KQMl6kixLMGHRCDUhkUPebuBhw13MpxlH3+17QzHQx40FNVd1z3uFKUSqQXB5zF9vLQGcpoC/8wWe5R35lsWvQ==',
      '@anthropic-ai/claude-code-linux-x64@2.1.330':
        'sha512-9Gn+V7DtJ8M1nztP9CeDVl9g3RtrepI7rOFTyPRRnZe8D6zebIHKmC7OvBauucuAP0X0k85SDN/LPVZyjsGezQ==',
    },
    hasScript: true,
  },
  codex: {
    name: '@openai/codex',
    version: '0.169.0',
    integrity: {
      '@openai/codex@0.169.0':
        'sha512-KhzYlkKPxoNssR8CEm45IjqnFWn7UtlF4CiD3tOJPea51xBs7MaHy0UQG9GSbCqk6Lrjn5QdJDV0QD1/FgWlGw==',
      '@openai/codex@0.169.0-linux-x64':
        'sha512-o05NyAOCDygSPRo1yinzxvkRSdmsZyBD9E7mbpmjRanSfM8lypqWtQgEo4XfNkwhuCR2aFu8mlGOsQGFXVbVww==',
    },
  },
  opencode: {
    name: 'opencode-ai',
    version: '1.18.33',
    integrity: {
      'opencode-ai@1.18.33':
        'sha512-58P1ffLRXiAY4QeoABqUjqf6DEzm1ihpovvn9Ad+oOLbLiwK/rf88wruT9IATJ7AtNjmi8iA7pC8tN4o5y799Q==',
      'opencode-linux-x64@1.18.33':
        'sha512-q/t/3p2CTxOT9y2kvjesb/LZab2+1eqlhhWA02Be6mjTtmYtNBcBsrI5yDo4Fw7ZSPBW2oyMIGMNRqiKQjiAWw==',
      'opencode-linux-x64-baseline@1.18.33':
        'sha512-1KQGBiiDDeL/VHHbHkOvvFo8Jr97WT5+C1tear+p7IcDTnXgVHXqIjU4O4jM4mHQzykTP2i884FCnW5LDa+zCA==',
    },
    hasScript: true,
  },
  'copilot-cli': {
    name: '@github/copilot',
    version: '1.0.102',
    integrity: {
      '@github/copilot@1.0.102':
        'sha512-mv6cTWMhMILxg5ZDgqJ6UsnpPuySCPWOPbZVaO8lL0dpmjY3VD9ZhJr6DFcG7fhUXZv6OmvLdcRCa5MJ6hBI+Q==',
      '@github/copilot-linux-x64@1.0.102':
        'sha512-eGHPbsP0p2QgfVZCjtbGBFZPBOJQ0DN7xIbBRAo7oG8b1zfLirQIdfI4h8Iy68Dv2cKJGJZg2/EO7W7KpIMJOw==',
    },
  },
  continue: {
    name: '@continuedev/cli',
    version: '1.5.47',
    integrity: {
      '@continuedev/cli@1.5.47':
        'sha512-gtpewV3RoIOD9dyTtKIBi1SY0VOHRu3Ehe7C/mmnswm+j34MPyrcQhQaWj/m+jdfGO4fNIKdrgGIlLso1ULDFw==',
    },
  },
  'gemini-cli': {
    name: '@google/gemini-cli',
    version: '0.61.0',
    integrity: {
      '@google/gemini-cli@0.61.0':
        'sha512-dbQ9A0qBtFJNi6XBkHvfZ6Azpn6PNgH/P8h2MZ67RLlX8hSAVjup39CRWqdRxZv7YXIuhrFaytr8y0jKnkoxnQ==',
    },
  },
  'qwen-code': {
    name: '@qwen-code/qwen-code',
    version: '0.24.4',
    integrity: {
      '@qwen-code/qwen-code@0.24.4':
        'sha512-pmexy/Nj+BKd3Un1ogqGQE8V4GJn5B6N9PQOrU1GH+lMR29kn6Bgf6YdbZa8hNIoTmAKT1LTPK+P8TibZRPPVg==',
    },
  },
  mcporter: {
    name: 'mcporter',
    version: '0.12.3',
    integrity: {
      'mcporter@0.12.3':
        'sha512-FD6nV4AzrsJSYtIqkLE0emNNiVl0p9W2bJosORAhmI5HCfcz2fc0WjmaY26bfFRW+2aCNL3aCssoFRjcYcQjgQ==',
    },
  },
  inspector: {
    name: '@modelcontextprotocol/inspector',
    version: '2.12.0',
    integrity: {
      '@modelcontextprotocol/inspector@2.12.0':
        'sha512-ppfN5+HnVWo6dY7jz5RMFUFTfEYPnFUjN3XN2w6PI6nmB/AFFXPGPfLBRvCeSx+qIH6kpi7Nsz5HYRp49loHpA==',
    },
  },
} as const satisfies Readonly<Record<string, PinnedPackage>>;
