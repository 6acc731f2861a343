-- name: salt.destroy-all
-- Takes every salt out of a file that is only kept from now on.
delete from day_salt where true

-- name: pairing.destroy-all
-- Takes every pairing out of a file that is only kept from now on.
delete from pairing where true
