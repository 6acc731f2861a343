-- Takes every salt out of a file that is only kept from now on.
delete from day_salt where true
