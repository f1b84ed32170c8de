; `postern:` links: `postern://connect?url=…` and `postern://open/ID` from anywhere, and `postern:background`, by which the
; pipe asks the system for a start without a window (pipe/src/windows.rs), so that Postern is no child of the AI program.
; `--` ends all switches: whatever stands in a link, it is none, nor a command. main/address/postern-link.ts reads it.
; SHCTX is the person's own part of the registry, or everybody's where the program was installed for everybody.
!macro customInstall
  WriteRegStr SHCTX "Software\Classes\postern" "" "URL:Postern"
  WriteRegStr SHCTX "Software\Classes\postern" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\postern\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

; An update uninstalls the older version first, and its installer writes them again.
!macro customUnInstall
  DeleteRegKey SHCTX "Software\Classes\postern"
!macroend
