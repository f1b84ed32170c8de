#!/bin/sh
# enter.sh LOWER LAYER KIND COMMAND…: runs a command as root in an overlay of LAYER over LOWER; changes go to LAYER.
# Start it with `unshare --mount --pid --fork --kill-child`, which cleans up mounts and processes. LAYER/mnt is mounted
# at /mnt. KIND `root` uses pivot_root; with `chroot`, the kernel allows no user namespaces.
set -eu
lower=$1 layer=$2 kind=$3
shift 3
mkdir -p "$layer/upper" "$layer/work" "$layer/root" "$layer/mnt"
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$layer/upper,workdir=$layer/work" "$layer/root"
cd "$layer/root"
mount -t proc proc proc
mount --rbind /dev dev
mount --bind "$layer/mnt" mnt
# The X display's socket.
mkdir -p tmp/.X11-unix
[ ! -d /tmp/.X11-unix ] || mount --bind /tmp/.X11-unix tmp/.X11-unix
if [ "$kind" = root ]; then
  mkdir -p old
  pivot_root . old
  umount -l old
fi
exec chroot . /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"
