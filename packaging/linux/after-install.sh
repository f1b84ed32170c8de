#!/bin/bash
# Runs after the deb is unpacked. electron-builder fills in executable and sanitizedProductName. Its own script would
# link the window's executable, which needs a display, but `postern connect` must work without one.
program='/opt/${sanitizedProductName}'

ln -sf "$program/resources/bin/postern" '/usr/bin/${executable}'

# Shell completions and the manual page, under the names that each tool looks for.
share="$program/resources/share"
link() { mkdir -p "$(dirname "$2")" && ln -sf "$share/$1" "$2"; }
link postern '/usr/share/bash-completion/completions/${executable}'
link _postern '/usr/share/zsh/vendor-completions/_${executable}'
link postern.fish '/usr/share/fish/vendor_completions.d/${executable}.fish'
link postern-watch.service '/usr/lib/systemd/user/${executable}-watch.service'
link postern.1 '/usr/share/man/man1/${executable}.1'

# Chromium's sandbox uses user namespaces if the kernel has them, otherwise a helper owned by root.
if ! { [[ -L /proc/self/ns/user ]] && unshare --user true; } 2>/dev/null; then
  chmod 4755 "$program/chrome-sandbox" || true
else
  chmod 0755 "$program/chrome-sandbox" || true
fi

if hash update-desktop-database 2>/dev/null; then
  update-desktop-database /usr/share/applications || true
fi

# Ubuntu 24 and later allow user namespaces only to programs with a profile. Older AppArmor cannot parse that profile.
if apparmor_status --enabled >/dev/null 2>&1; then
  profile="$program/resources/apparmor-profile"
  if apparmor_parser --skip-kernel-load --debug "$profile" >/dev/null 2>&1; then
    cp -f "$profile" '/etc/apparmor.d/${executable}'
    if ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
      apparmor_parser --replace --write-cache --skip-read-cache '/etc/apparmor.d/${executable}' || true
    fi
  fi
fi
exit 0
