-- Takes every pairing out of a file that is only kept from now on.
delete from pairing where true
