"""What can be done in the window: commands as data, as actions, in menus, by keys."""
