; `postern:` starts Postern in the background: the pipe asks the system for it (pipe/src/windows.rs), so that Postern is
; no child of the AI program. Nothing of the address is passed on: whatever a page of the web puts into one, it can start
; Postern without a window and no more. SHCTX is the person's own part of the registry, or everybody's where the program
; was installed for everybody.
!macro customInstall
  WriteRegStr SHCTX "Software\Classes\postern" "" "URL:Postern"
  WriteRegStr SHCTX "Software\Classes\postern" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\postern\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --background'
!macroend

; An update uninstalls the older version first, and its installer writes them again.
!macro customUnInstall
  DeleteRegKey SHCTX "Software\Classes\postern"
!macroend
