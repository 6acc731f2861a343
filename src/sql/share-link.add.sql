-- The new link.
insert into share_link (uuid, hash, name, filters, goals, annotations, password_hash, created_at, expires_at)
values (@uuid, @hash, @name, @filters, @goals, @annotations, @password_hash, @created_at, @expires_at)
