-- name: salts
-- The number of salts, and of those of days that should have been destroyed by now or have no end; one row.
select count(*) as salts,
  count(*) filter (where expires_at <= @second) as overdue,
  count(*) filter (where day < 99991231 and expires_at > @second + 3 * 86400) as unlimited
from day_salt

-- name: secrets
-- The number of secrets stored in any form other than a hash; one row.
select (select count(*) from user where password_hash not like '$scrypt$ln=%') as passwords,
  (select count(*) from app_password where length(hash) <> 32) as app_passwords
