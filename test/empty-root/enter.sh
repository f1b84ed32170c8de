#!/bin/sh
# enter.sh LOWER LAYER KIND WORDS…: runs words as root in a root file system, LOWER below and LAYER on top, which keeps
# what they change. To be started by `unshare --mount --pid --fork --kill-child`: mounts and processes go with it. The
# folder LAYER/mnt is /mnt there. KIND `root`: it is the root; `chroot`: the kernel knows that it is not, and then allows
# no user namespaces, to anybody.
set -eu
lower=$1 layer=$2 kind=$3
shift 3
mkdir -p "$layer/upper" "$layer/work" "$layer/root" "$layer/mnt"
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$layer/upper,workdir=$layer/work" "$layer/root"
cd "$layer/root"
mount -t proc proc proc
mount --rbind /dev dev
mount --bind "$layer/mnt" mnt
# Where the display is.
mkdir -p tmp/.X11-unix
[ ! -d /tmp/.X11-unix ] || mount --bind /tmp/.X11-unix tmp/.X11-unix
if [ "$kind" = root ]; then
  mkdir -p old
  pivot_root . old
  umount -l old
fi
exec chroot . /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"
