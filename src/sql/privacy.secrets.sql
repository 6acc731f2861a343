-- How many secrets stand in the file in another form than their hash; one row.
select (select count(*) from user where password_hash not like '$scrypt$ln=%') as passwords,
  (select count(*) from app_password where length(hash) <> 32) as app_passwords
