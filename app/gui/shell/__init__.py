"""The window itself: menus, commands, preferences, themes, the start page and the workbench."""
