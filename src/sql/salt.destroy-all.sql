-- Takes every salt out of a copy of the file.
delete from day_salt where true
