#!/usr/bin/env bash
# Recipes for the command line. SERVER is the address of an MCP server, DIR a folder for what comes out; a test runs
# this file as it stands against the demo server of `npm run demo`, so each line works. It needs jq.
set -euo pipefail

# Sign in once; the name stands for the server from then on.
postern connect "$SERVER" --local --name Notes > "$DIR/connected.txt"

# Is everything as it should be on this computer? healthy says so in one word.
postern doctor --json | jq -r .healthy > "$DIR/healthy.txt"

# Names and states of all servers, as a table for other programs.
postern list --json | jq -r '.integrations[] | [.name, .status, .url] | @tsv' > "$DIR/servers.tsv"

# Servers where you have to sign in again. Nothing if all is well.
postern list --json | jq -r '.integrations[] | select(.state != "integrated") | .name' > "$DIR/waiting.txt"

# Which tools are there, and what does one of them take?
postern tools Notes --json | jq -r '.tools[].name' > "$DIR/tools.txt"
postern call Notes word_count --help > "$DIR/word_count.txt"

# Arguments as words, from a file, from standard input, or as JSON.
postern call Notes word_count text='Buy milk' > "$DIR/words.txt"
printf 'one two three' > "$DIR/note.txt"
postern call Notes word_count text=@"$DIR/note.txt" >> "$DIR/words.txt"
printf 'four words of text' | postern call Notes word_count text=@- >> "$DIR/words.txt"
jq -n --arg text 'as JSON' '{text: $text}' | postern call Notes word_count - >> "$DIR/words.txt"

# The text of an answer comes out as it is: no quotes, no colors, nothing on standard error.
answer=$(postern call Notes word_count text='a b' 2> "$DIR/silent.txt")
test -n "$answer" && test ! -s "$DIR/silent.txt"

# With --json the last line has the result; lines with "event" come before it.
postern call Notes word_count text='a b' --json | jq -r 'select(.result) | .content[].text' > "$DIR/json.txt"

# Put an answer into a file, whatever it is.
postern call Notes list_notes --output "$DIR/notes.out"

# What went wrong? 1 failed, 2 not understood, 3 sign in again.
code=0
postern call Notes word_count txet=typo 2> "$DIR/typo.txt" || code=$?
test "$code" = 2

# An access token for other programs, good for ten minutes at least; mind where it goes.
postern token Notes --min-ttl 600 > "$DIR/token.txt"
postern exec Notes -- sh -c 'test -n "$POSTERN_TOKEN"'
postern exec Notes --header-file -- sh -c 'grep -c "^Authorization: Bearer " "$POSTERN_HEADER_FILE"' > "$DIR/header.txt"

# New access for every server now, for example before a laptop goes offline.
postern refresh --all --json | jq -r '.integrations[] | select(.error) | .name' > "$DIR/failed.txt"

# The list for another computer, without any secret. The other one runs: postern import servers.json
postern export > "$DIR/servers.json"

# A profile that is sealed with a key file, for a machine without a keychain.
export POSTERN_HOME="$DIR/unattended" POSTERN_KEY_FILE="$DIR/key"
postern connect "$SERVER" --local --name Notes --vault file > "$DIR/unattended.txt"
postern token Notes > "$DIR/unattended-token.txt"
postern list --json | jq -r .vault > "$DIR/vault.txt"

# Nobody needs it any more: access ends at the service, and nothing stays here.
postern remove --all --yes > "$DIR/removed.txt"
