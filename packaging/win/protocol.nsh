; `postern:` links: `postern://connect?url=…` and `postern://open/ID` from anywhere, and `postern:background`, with which
; the pipe makes the system start Postern without a window (pipe/src/windows.rs), so that it is no child of the AI app.
; `--` ends all switches, so nothing in a link is a switch or a command. main/address/postern-link.ts parses it.
; SHCTX is the user's part of the registry, or the machine's for an installation for all users.
!macro customInstall
  WriteRegStr SHCTX "Software\Classes\postern" "" "URL:Postern"
  WriteRegStr SHCTX "Software\Classes\postern" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\postern\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

; An update uninstalls the older version first; its installer then writes the keys again.
!macro customUnInstall
  DeleteRegKey SHCTX "Software\Classes\postern"
!macroend
