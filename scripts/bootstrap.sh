# Sourced by the other scripts from the project's root: makes a fresh machine able to run the project.
# Works with bash 3.2 (macOS) and Git Bash; needs only Node 20 or newer and its npm. Quick when nothing changed.

say() { printf '%s\n' "$*" >&2; }

require_system_node() {
  local version
  if ! command -v node >/dev/null 2>&1; then
    say 'Postern needs Node.js 20 or newer, which is not installed. Get it from https://nodejs.org, then try again.'
    exit 1
  fi
  version=$(node --version)
  case $version in
    v[0-9].* | v1[0-9].*)
      say "Postern needs Node.js 20 or newer; this is $version. Get a newer one from https://nodejs.org, then try again."
      exit 1
      ;;
  esac
}

# Prints "" for root, or "sudo -n" if sudo needs no password. Fails otherwise.
root_command() {
  [ "$(id -u)" = 0 ] && return 0
  command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null && echo 'sudo -n'
}

missing_packages() {
  local package missing=
  for package in "$@"; do
    dpkg-query -Wf '${Status}' "$package" 2>/dev/null | grep -q ' installed' || missing="$missing $package"
  done
  echo "$missing"
}

has_chromium() {
  local name
  for name in chromium chromium-browser google-chrome-stable google-chrome microsoft-edge; do
    command -v $name >/dev/null 2>&1 && return 0
  done
  return 1
}

# The keychain library is compiled on Linux. A desktop session has its own keychain; elsewhere, and for the tests,
# gnome-keyring runs in a private D-Bus session.
install_system_packages() {
  local wanted='python3 make g++ pkg-config libsecret-1-dev' missing as_root
  command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || return 0
  if [ "$1" = test ] || [ -z "${DBUS_SESSION_BUS_ADDRESS:-}" ]; then wanted="$wanted dbus gnome-keyring"; fi
  # The window runs on Electron or, if that is unavailable, on an installed Chromium. Without a display it gets a virtual one.
  if [ ! -f node_modules/electron/path.txt ] && ! has_chromium; then wanted="$wanted chromium fonts-liberation"; fi
  if [ "$1" = test ] || [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then wanted="$wanted xvfb"; fi
  # shellcheck disable=SC2086
  missing=$(missing_packages $wanted)
  [ -n "$missing" ] || return 0
  if as_root=$(root_command); then
    say "Installing system packages:$missing"
    # shellcheck disable=SC2086
    if $as_root env DEBIAN_FRONTEND=noninteractive sh -c \
      "apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing" >/dev/null; then
      return 0
    fi
    say 'That failed.'
  fi
  say 'Some system packages are missing. Please run:'
  say "    sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing"
  say 'and start again. Continuing without them. If the keychain needs them, sign-ins cannot be saved.'
}

# A second authorization server; its tests are skipped if it is missing. Installing it would also start a system service,
# so install it only where no service manager runs (a container).
install_test_servers() {
  local as_root
  command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || return 0
  [ -n "$(missing_packages glewlwyd)" ] && [ ! -d /run/systemd/system ] || return 0
  as_root=$(root_command) || return 0
  say 'Installing glewlwyd, for the tests'
  $as_root env DEBIAN_FRONTEND=noninteractive sh -c \
    'apt-get update -qq && apt-get install -y -qq --no-install-recommends glewlwyd' >/dev/null 2>&1 ||
    say 'That failed, so its tests are skipped.'
}

can_build_keychain() {
  [ "$(uname -s)" != Linux ] || { command -v c++ && command -v make && pkg-config --exists libsecret-1; } >/dev/null 2>&1
}

has_keychain() { [ -f node_modules/keytar/build/Release/keytar.node ]; }

# Fixed, whichever Node compiles it: a build for a newer Node-API crashes an older Node or Electron.
keychain_api=8

# Settings for npm; call it in a subshell.
export_keychain_settings() {
  local arch=x64
  if [ "$(uname -s)" = Linux ]; then
    # keytar compiles against the headers in the `node` package, so nothing is downloaded from elsewhere.
    if [ "$(uname -m)" = aarch64 ]; then arch=arm64; fi
    export npm_config_build_from_source=keytar
    export npm_config_nodedir="$PWD/node_modules/node/node_modules/node-linux-$arch"
  fi
  export npm_config_napi_build_version=$keychain_api
}

# A plain `npm ci` compiles keytar for the Node-API of the Node that runs npm. A downloaded build fits every version.
repair_keychain() {
  local config=node_modules/keytar/build/config.gypi
  if [ ! -f $config ] || grep -Eq "\"napi_build_version\": \"?$keychain_api([^0-9]|\$)" $config; then return 0; fi
  say 'Rebuilding the keychain library for every Node and Electron…'
  (
    export_keychain_settings
    npm rebuild keytar --loglevel=error >&2
  ) || say 'That failed; the lines above show why. Continuing with the existing build.'
}

# Everything comes from the lockfile. The stamp records which lockfile is installed and whether the keychain was built.
install_node_packages() {
  local stamp=node_modules/.postern-stamp lock package buildable=no
  lock=$(cksum <package-lock.json)
  can_build_keychain && buildable=yes
  if [ -f "$stamp" ]; then
    case $(cat "$stamp") in
      "$lock yes") repair_keychain && return 0 ;;
      "$lock no") if [ $buildable = no ] || has_keychain; then repair_keychain && return 0; fi ;;
    esac
  elif [ node_modules/.package-lock.json -nt package-lock.json ] && has_keychain; then
    # Someone ran `npm ci` by hand.
    repair_keychain
    echo "$lock yes" >"$stamp"
    return 0
  fi
  say 'Installing packages… (about half a minute)'
  (
    export_keychain_settings
    # No install scripts: npm before 11 does not know `allowScripts`. Only these two must run; a failed build is reported
    # below.
    npm ci --ignore-scripts --loglevel=error --no-fund --no-audit >&2 || exit 1
    for package in node keytar; do npm rebuild "$package" --loglevel=error >&2 || true; done
  ) || {
    say 'The packages could not be installed; the lines above show why. Check the network, then try again.'
    exit 1
  }
  has_keychain || say 'The keychain library could not be built, so sign-ins cannot be saved.'
  echo "$lock $buildable" >"$stamp"
}

# Node 24 comes with the packages. If it is not published for this machine, the system's Node is used.
require_project_node() {
  export PATH="$PWD/node_modules/.bin:$PATH"
  case $(node --version) in
    v2[0-3].*)
      say "Postern runs on Node.js 24, which could not be installed for this machine ($(uname -s) $(uname -m))."
      say 'Please install Node.js 24 or newer from https://nodejs.org, then try again.'
      exit 1
      ;;
  esac
}

# bootstrap start|test
bootstrap() {
  require_system_node
  install_system_packages "$1"
  if [ "$1" = test ]; then install_test_servers; fi
  install_node_packages
  require_project_node
}
