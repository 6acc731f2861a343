-- name: secrets
-- The number of secrets stored in any form other than a hash; one row.
select (select count(*) from user where password_hash not like '$scrypt$ln=%') as passwords,
  (select count(*) from app_password where length(hash) <> 32) as app_passwords
