-- The new link.
insert into share_link (uuid, hash, name, filters, password_hash, goals, created_at, expires_at)
values (@uuid, @hash, @name, @filters, @password_hash, @goals, @created_at, @expires_at)
