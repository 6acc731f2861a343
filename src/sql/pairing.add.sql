-- The new pairing.
insert into pairing (uuid, platform, secret, created_at)
values (@uuid, @platform, @secret, @created_at)
