-- A user with what is given (not null) changed.
update user
set role = ifnull(@role, role),
  locale = ifnull(@locale, locale),
  password_hash = ifnull(@password_hash, password_hash)
where id = @id
returning id, login, role, locale, created_at
