#!/usr/bin/env bash
# Recipes for the command line. SERVER is the address of an MCP server, DIR a folder for the output. A test runs this
# file unchanged against the demo server of `npm run demo`, so every line works. Needs jq.
set -euo pipefail

# Sign in once. From then on, refer to the server by its name.
postern connect "$SERVER" --local --name Notes > "$DIR/connected.txt"

# Is everything all right on this computer? `healthy` is true or false.
postern doctor --json | jq -r .healthy > "$DIR/healthy.txt"

# Name, status and address of all servers, as a table for other programs.
postern list --json | jq -r '.integrations[] | [.name, .status, .url] | @tsv' > "$DIR/servers.tsv"

# Servers that need a new sign-in; empty if there are none.
postern list --json | jq -r '.integrations[] | select(.state != "integrated") | .name' > "$DIR/waiting.txt"

# List the tools, and show the arguments of one.
postern tools Notes --json | jq -r '.tools[].name' > "$DIR/tools.txt"
postern call Notes word_count --help > "$DIR/word_count.txt"

# Arguments as words, from a file, from standard input, or as JSON.
postern call Notes word_count text='Buy milk' > "$DIR/words.txt"
printf 'one two three' > "$DIR/note.txt"
postern call Notes word_count text=@"$DIR/note.txt" >> "$DIR/words.txt"
printf 'four words of text' | postern call Notes word_count text=@- >> "$DIR/words.txt"
jq -n --arg text 'as JSON' '{text: $text}' | postern call Notes word_count - >> "$DIR/words.txt"

# A text result is printed as it is: no quotes, no colors, nothing on standard error.
result=$(postern call Notes word_count text='a b' 2> "$DIR/silent.txt")
test -n "$result" && test ! -s "$DIR/silent.txt"

# With --json, the last line is the result; lines with "event" come before it.
postern call Notes word_count text='a b' --json | jq -r 'select(.result) | .content[].text' > "$DIR/json.txt"

# Save a result of any type to a file.
postern call Notes list_notes --output "$DIR/notes.out"

# Exit codes: 1 failed, 2 usage error, 3 sign in again.
code=0
postern call Notes word_count txet=typo 2> "$DIR/typo.txt" || code=$?
test "$code" = 2

# An access token for another program, valid for at least ten minutes. Be careful where you put it.
postern token Notes --min-ttl 600 > "$DIR/token.txt"
postern exec Notes -- sh -c 'test -n "$POSTERN_TOKEN"'
postern exec Notes --header-file -- sh -c 'grep -c "^Authorization: Bearer " "$POSTERN_HEADER_FILE"' > "$DIR/header.txt"

# Renew the sign-ins of all servers now, for example before a laptop goes offline.
postern refresh --all --json | jq -r '.integrations[] | select(.error) | .name' > "$DIR/failed.txt"

# Export the server list for another computer, without secrets. There, run: postern import servers.json
postern export > "$DIR/servers.json"

# A profile encrypted with a key file, for a machine without a keychain.
export POSTERN_HOME="$DIR/unattended" POSTERN_KEY_FILE="$DIR/key"
postern connect "$SERVER" --local --name Notes --vault file > "$DIR/unattended.txt"
postern token Notes > "$DIR/unattended-token.txt"
postern list --json | jq -r .vault > "$DIR/vault.txt"

# Remove everything: revoke the sign-ins at the services and delete all data here.
postern remove --all --yes > "$DIR/removed.txt"
