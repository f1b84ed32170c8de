#!/bin/bash
# Runs after the deb is removed. Users' data in their own folders stays; docs/install.md explains how to delete it.
# During an upgrade, the old version's script runs after the new one is installed, so the new links must stay.
case "$1" in upgrade | failed-upgrade | abort-upgrade) exit 0 ;; esac

for link in '/usr/bin/${executable}' '/usr/share/bash-completion/completions/${executable}' \
  '/usr/share/zsh/vendor-completions/_${executable}' '/usr/share/fish/vendor_completions.d/${executable}.fish' \
  '/usr/share/man/man1/${executable}.1' '/usr/lib/systemd/user/${executable}-watch.service'; do
  if [ -L "$link" ] && [ ! -e "$link" ]; then rm -f "$link"; fi
done

profile='/etc/apparmor.d/${executable}'
if [ -f "$profile" ]; then
  if apparmor_status --enabled >/dev/null 2>&1 && ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
    apparmor_parser --remove "$profile" || true
  fi
  rm -f "$profile"
fi
exit 0
