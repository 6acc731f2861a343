delete from day_salt
where expires_at <= @second
