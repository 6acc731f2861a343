-- The new user.
insert into user (login, role, locale, password_hash, created_at)
values (@login, @role, @locale, @password_hash, @created_at)
returning id, login, role, locale, created_at
