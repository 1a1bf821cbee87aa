; Inno Setup 6 makes an installer of the folder dist\casespan: iscc /DVersion=0.1.0 build\windows\casespan.iss
#ifndef Version
  #error Say which version this is: iscc /DVersion=X.Y.Z
#endif

[Setup]
AppId=Casespan
AppName=Casespan
AppVersion={#Version}
AppPublisher=The Casespan team
DefaultDirName={autopf}\Casespan
DefaultGroupName=Casespan
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
SourceDir=..\..
OutputDir=dist
OutputBaseFilename=casespan-{#Version}-setup
SetupIconFile=.cache\icons\casespan.ico
UninstallDisplayIcon={app}\casespan.exe
LicenseFile=LICENSE
Compression=lzma2
SolidCompression=yes

[Files]
Source: "dist\casespan\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{group}\Casespan"; Filename: "{app}\casespan.exe"; Parameters: "open"

[Registry]
Root: HKA; Subkey: "Software\Classes\.casespan"; ValueType: string; ValueData: "Casespan.Project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Casespan.Project"; ValueType: string; ValueData: "Casespan project"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Casespan.Project\DefaultIcon"; ValueType: string; ValueData: "{app}\casespan.exe,0"
Root: HKA; Subkey: "Software\Classes\Casespan.Project\shell\open\command"; ValueType: string; ValueData: """{app}\casespan.exe"" open ""%1"""
