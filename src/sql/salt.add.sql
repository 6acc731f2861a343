insert into day_salt (day, salt, expires_at)
values (@day, @salt, @expires_at)
